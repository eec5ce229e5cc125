"""GET /metrics, for Prometheus, and the counting of all other requests.

Source: doc/how-to/metrics.rst.
"""

import webob

from placement import cost
from placement.environ import ERROR_CODE, ROUTE

PATH = "/metrics"

# Of others, a client could invent any number.
_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class Metrics:
    """Middleware: PATH is answered here, without a token; everything else is counted."""

    def __init__(self, application, requests, ledger):
        self._application = application
        self._requests = requests
        self._ledger = ledger

    def __call__(self, environ, start_response):
        if environ.get("PATH_INFO") == PATH:
            return self._exposition()(environ, start_response)
        statuses = []

        def counted_start_response(status, headers, exc_info=None):
            statuses.append(status)
            return start_response(status, headers, exc_info)

        answer = self._application(environ, counted_start_response)
        method = environ["REQUEST_METHOD"]
        self._requests.add(
            environ.get(ROUTE, "none"),
            method if method in _METHODS else "other",
            statuses[-1].partition(" ")[0] if statuses else "none",
            cost.current(),
            environ.get(ERROR_CODE),
        )
        return answer

    def _exposition(self):
        text = self._requests.text() + self._ledger.text()
        return webob.Response(body=text, content_type=self._requests.content_type, charset=None)
