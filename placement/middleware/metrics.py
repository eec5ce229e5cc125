"""Counts all requests, for Prometheus. Source: doc/how-to/metrics.rst."""

from placement import cost
from placement.environ import ERROR_CODE, ROUTE
from placement.policies import public

# All other methods share one label because a client could invent any number of them.
_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class Metrics:
    """Middleware: counts what an Exporter exports."""

    def __init__(self, application, exporter):
        self._application = application
        self._exporter = exporter

    def __call__(self, environ, start_response):
        # In each process, the first request starts the exporter, unless it is running already.
        self._exporter.begin()
        statuses = []

        def counted_start_response(status, headers, exc_info=None):
            statuses.append(status)
            return start_response(status, headers, exc_info)

        answer = self._application(environ, counted_start_response)
        method = environ["REQUEST_METHOD"]
        self._exporter.requests.add(
            _route(environ),
            method if method in _METHODS else "other",
            statuses[-1].partition(" ")[0] if statuses else "none",
            spent=cost.current(),
            code=environ.get(ERROR_CODE),
        )
        return answer


def _route(environ):
    """Return the declared URL, such as /traits/{name}, or "none"; a page's files share one URL."""
    url = environ.get(ROUTE, "none")
    for directory in public.DIRECTORIES:
        if url.startswith(directory):
            return directory + "{name}"
    return url
