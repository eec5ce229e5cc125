"""A request id and a log line for every request."""

import logging
import re
import urllib.parse

from oslo_context import context
from oslo_middleware import request_id

from placement import cost
from placement.environ import ASKED, GLOBAL_REQUEST_ID, MICROVERSION, REASON, REQUEST_ID
from placement.middleware import health

RESPONSE_HEADER = request_id.HTTP_RESP_HEADER_REQUEST_ID

_INBOUND_HEADER = "HTTP_" + request_id.INBOUND_HEADER.upper().replace("-", "_")
_IS_REQUEST_ID = re.compile(request_id.ID_FORMAT).match

# A reason may quote what the client sent, so it is cut after this many characters.
LONGEST_REASON = 300

# Deployments select these lines by the name of the logger.
LOG = logging.getLogger("placement.requestlog")


class RequestLog:
    """Middleware: sends a new request id with each answer, and logs a line about each request.

    An id from the client is used only as the global id in the log. A request that takes more than
    `slow_seconds` gets a second line; 0 switches that off.
    oslo.middleware's RequestId could handle the ids, but takes 29 us per request. This whole layer
    takes 8 us.
    Source: doc/how-to/logs.rst.
    """

    def __init__(self, application, slow_seconds=0):
        self._application = application
        self._slow_seconds = slow_seconds

    def __call__(self, environ, start_response):
        own_id = context.generate_request_id()
        environ[REQUEST_ID] = own_id
        clients_id = environ.get(_INBOUND_HEADER, "")
        if _IS_REQUEST_ID(clients_id):
            environ[GLOBAL_REQUEST_ID] = clients_id
        # This replaces the context of the previous request on this thread, so that log lines have
        # the ids of this request before the caller is known.
        context.RequestContext(
            request_id=own_id, global_request_id=environ.get(GLOBAL_REQUEST_ID)
        )
        # The path is saved because routing may change it in the environ.
        environ[ASKED] = _asked(environ)
        if LOG.isEnabledFor(logging.DEBUG):
            LOG.debug('Starting request: %s "%s %s"', *environ[ASKED])
        entry = _Entry(environ, spent=cost.begin(), slow_seconds=self._slow_seconds)

        def logged_start_response(status, headers, exc_info=None):
            headers.append((RESPONSE_HEADER, own_id))
            entry.status, entry.headers = status, headers
            return start_response(status, headers, exc_info)

        answer = self._application(environ, logged_start_response)
        if isinstance(answer, (list, tuple)):
            entry.log()
            return answer
        # Other answers are logged once they are sent: only then is it known how long they took.
        return _Streamed(answer, entry)


class _Streamed:
    """The body of an answer that is made while it is sent; afterwards, the request is logged."""

    def __init__(self, answer, entry):
        self._answer = answer
        self._entry = entry

    def __iter__(self):
        return iter(self._answer)

    def close(self):
        try:
            if hasattr(self._answer, "close"):
                self._answer.close()
        finally:
            self._entry.log()


class _Entry:
    """What the log will say about one request.

    Attributes: status and headers, which are those of the answer once it has begun
    """

    def __init__(self, environ, spent, slow_seconds):
        """`spent` is a Cost. A request is slow once it takes `slow_seconds`; with 0, none is."""
        self._environ = environ
        self._asked = environ[ASKED]
        self._level = logging.DEBUG if _is_health_check(environ) else logging.INFO
        self._spent = spent
        self._slow_seconds = slow_seconds
        self.status = "-"
        self.headers = []

    def log(self):
        seconds = self._spent.seconds()
        LOG.log(
            self._level,
            '%s "%s %s" status: %s len: %s microversion: %s time: %.6f statements: %d%s',
            *self._asked,
            self.status.split(None, 1)[0],
            self._length(),
            self._environ.get(MICROVERSION, "-"),
            seconds,
            self._spent.statements,
            _ending(self._environ.get(REASON)),
        )
        if 0 < self._slow_seconds <= seconds:
            self._log_stages(seconds)

    def _length(self):
        """Return the Content-Length of the response, as the log shows it."""
        for name, value in self.headers:
            if name.lower() == "content-length":
                return value
        # Parsers of these lines expect a number, but an answer without content has no
        # Content-Length.
        return "0" if self.status.startswith("204") else "-"

    def _log_stages(self, seconds):
        """Log where the time of a slow request went."""
        spent = self._spent
        stages = spent.connection + spent.sql + spent.search + spent.rendering
        LOG.warning(
            'Slow request: %s "%s %s" took %.3f s: waiting for a connection %.3f, SQL %.3f '
            "(statements: %d), search %.3f, rendering %.3f, all else %.3f",
            *self._asked,
            seconds,
            *(spent.connection, spent.sql, spent.statements, spent.search, spent.rendering),
            max(0, seconds - stages),
        )


def _is_health_check(environ):
    return environ.get("PATH_INFO") == health.PATH


def _ending(reason):
    """Return the end of the log line: the reason for a refusal, without line breaks, or ""."""
    if not reason:
        return ""
    shown = "".join(char if char.isprintable() else " " for char in reason[:LONGEST_REASON])
    return f" reason: {shown}{' ...' if len(reason) > LONGEST_REASON else ''}"


def _asked(environ):
    """Return (client address, method, URI), quoted so that they stay on one line of the log."""
    path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
    uri = urllib.parse.quote(path.encode("latin-1"))
    if environ.get("QUERY_STRING"):
        uri += "?" + environ["QUERY_STRING"]
    return environ.get("REMOTE_ADDR") or "-", environ["REQUEST_METHOD"], uri
