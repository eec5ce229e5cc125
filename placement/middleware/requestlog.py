"""A request id for every request, and a line in the log."""

import logging
import re
import urllib.parse

from oslo_context import context
from oslo_middleware import request_id

from placement.environ import GLOBAL_REQUEST_ID, MICROVERSION, REQUEST_ID

RESPONSE_HEADER = request_id.HTTP_RESP_HEADER_REQUEST_ID

_INBOUND_HEADER = "HTTP_" + request_id.INBOUND_HEADER.upper().replace("-", "_")
_IS_REQUEST_ID = re.compile(request_id.ID_FORMAT).match

# Deployments select these lines by this name.
LOG = logging.getLogger("placement.requestlog")


class RequestLog:
    """Middleware: sends a new request id with each answer, and logs when the answer starts.

    An id that the client sent is the global id in the log, and nothing else.
    oslo.middleware's RequestId would do the half that concerns the ids; it takes 29 us a request,
    all of this 7.
    Source: doc/deployment.rst, "Health and logs".
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        own_id = context.generate_request_id()
        environ[REQUEST_ID] = own_id
        clients_id = environ.get(_INBOUND_HEADER, "")
        if _IS_REQUEST_ID(clients_id):
            environ[GLOBAL_REQUEST_ID] = clients_id
        # Until the caller is known, log lines have the ids of this request, not the
        # identity of the previous request on this thread.
        context.RequestContext(
            request_id=own_id, global_request_id=environ.get(GLOBAL_REQUEST_ID)
        )
        if LOG.isEnabledFor(logging.DEBUG):
            LOG.debug('Starting request: %s "%s %s"', *_asked(environ))

        # What was asked is kept: routing below may change the path in the environ.
        asked = _asked(environ)

        def logged_start_response(status, headers, exc_info=None):
            headers.append((RESPONSE_HEADER, own_id))
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
    # Parsers of these lines expect a number; an answer without content has no header for it.
    length = "0" if status.startswith("204") else "-"
    for name, value in headers:
        if name.lower() == "content-length":
            length = value
    LOG.info(
        '%s "%s %s" status: %s len: %s microversion: %s',
        *asked,
        status.split(None, 1)[0],
        length,
        environ.get(MICROVERSION, "-"),
    )
