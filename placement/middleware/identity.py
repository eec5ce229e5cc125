"""The caller's identity, which the authentication layer has found, for policy and the log.

Source: doc/how-to/keystone.rst.
"""

import webob.exc
from oslo_context import context

from placement.environ import CONTEXT, GLOBAL_REQUEST_ID, REQUEST_ID
from placement.middleware.refusal import refuse
from placement.policies.public import is_public


class RequestContext(context.RequestContext):
    """The caller and the ids of one request; oslo.log uses the latest one in each thread."""


class IdentityContext:
    """Middleware: makes a RequestContext from the identity headers; 401 if they name no user.

    The authentication layer has set these headers, or has removed those that the client sent.
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        caller = RequestContext.from_environ(
            environ,
            request_id=environ[REQUEST_ID],
            global_request_id=environ.get(GLOBAL_REQUEST_ID),
        )
        if caller.user_id is None and not is_public(environ.get("PATH_INFO", "")):
            reason = "Authentication named no user."
            return refuse(webob.exc.HTTPUnauthorized(), environ, start_response, reason)
        environ[CONTEXT] = caller
        return self._application(environ, start_response)
