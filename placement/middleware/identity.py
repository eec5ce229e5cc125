"""The caller's identity, as the authentication layer found it, for policy and the log."""

import webob.exc
from oslo_context import context

from placement.environ import CONTEXT, GLOBAL_REQUEST_ID, REQUEST_ID

# The version document is for everyone, even if it is the mount point itself; so are the description
# of the API and the page for operators, which sends a token with its own requests.
_PUBLIC_PATHS = {"/", "", "/openapi.json", "/docs", "/operator", "/operator/"}
PUBLIC_FILES = ("/docs/", "/operator/page/")


def is_public(path):
    """Return whether anyone may read this path; nothing there comes from the database."""
    return path in _PUBLIC_PATHS or path.startswith(PUBLIC_FILES)


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
        if caller.user_id is None and not is_public(environ.get("PATH_INFO", "")):
            return webob.exc.HTTPUnauthorized()(environ, start_response)
        environ[CONTEXT] = caller
        return self._application(environ, start_response)
