"""A request id for every request, and a line in the log."""

import logging
import re
import urllib.parse

from oslo_context import context

REQUEST_ID = "openstack.request_id"
GLOBAL_REQUEST_ID = "openstack.global_request_id"
RESPONSE_HEADER = "x-openstack-request-id"

# What an id that comes with a request must look like to be believed.
_REQUEST_ID_FORM = re.compile(r"req-[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}")

LOG = logging.getLogger(__name__)


class RequestLog:
    """Middleware: sends a new request id with each answer, and logs when the answer starts.

    An id that the client sent is the global id in the log, and nothing else.
    Source: contract, "Request id and request log".
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        request_id = context.generate_request_id()
        environ[REQUEST_ID] = request_id
        global_request_id = environ.get("HTTP_X_OPENSTACK_REQUEST_ID", "")
        if _REQUEST_ID_FORM.fullmatch(global_request_id):
            environ[GLOBAL_REQUEST_ID] = global_request_id
        # Until the caller is known, log lines have the ids of this request, not the
        # identity of the previous request on this thread.
        context.RequestContext(
            request_id=request_id, global_request_id=environ.get(GLOBAL_REQUEST_ID)
        )
        if LOG.isEnabledFor(logging.DEBUG):
            LOG.debug('Starting request: %s "%s %s"', *_asked(environ))

        # What was asked is kept: routing below may change the path in the environ.
        asked = _asked(environ)

        def logged_start_response(status, headers, exc_info=None):
            headers.append((RESPONSE_HEADER, request_id))
            _log_answer(environ, asked, status, headers)
            return start_response(status, headers, exc_info)

        return self._application(environ, logged_start_response)


def _asked(environ):
    """(client address, method, URI) for the log, on one line whatever the client sent."""
    path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
    uri = urllib.parse.quote(path.encode("latin-1"))
    if environ.get("QUERY_STRING"):
        uri += "?" + environ["QUERY_STRING"]
    return environ.get("REMOTE_ADDR") or "-", environ["REQUEST_METHOD"], uri


def _log_answer(environ, asked, status, headers):
    length = "-"
    for name, value in headers:
        if name.lower() == "content-length":
            length = value
    LOG.info(
        '%s "%s %s" status: %s len: %s microversion: %s',
        *asked,
        status.split(None, 1)[0],
        length,
        environ.get("placement.microversion", "-"),
    )
