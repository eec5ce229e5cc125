"""Who is asking: the identity that the authentication layer found, for policy and the log."""

import webob.exc
from oslo_context import context

from placement.environ import CONTEXT, GLOBAL_REQUEST_ID, REQUEST_ID

# The version document is for everyone, even where it is the mount point itself; so is what says how
# to use the API.
PUBLIC_PATHS = ("/", "", "/openapi.json", "/docs", "/docs/rapidoc-min.js")


class RequestContext(context.RequestContext):
    """The identity and the ids of one request; the log finds it on the current thread."""


class IdentityContext:
    """Middleware: makes a RequestContext of the identity headers; 401 if they name no user.

    The authentication layer has set these headers, or removed those of the client.
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        caller = RequestContext.from_environ(
            environ,
            request_id=environ[REQUEST_ID],
            global_request_id=environ.get(GLOBAL_REQUEST_ID),
        )
        if caller.user_id is None and environ.get("PATH_INFO", "") not in PUBLIC_PATHS:
            return webob.exc.HTTPUnauthorized()(environ, start_response)
        environ[CONTEXT] = caller
        return self._application(environ, start_response)
