"""GET /healthcheck: can this process serve requests? For load balancers, without a token."""

import webob
from oslo_middleware import healthcheck

from placement.db import health

PATH = "/healthcheck"

# What a load balancer that asks every few seconds can wait for.
SECONDS = 2


class Health:
    """Middleware: PATH is answered here, everything else by the application.

    oslo.middleware's Healthcheck answers, with the backends that the operator has chosen; for a
    process that it finds healthy, the database must be able to serve, too.
    """

    def __init__(self, application, conf, database):
        self._application = application
        self._healthcheck = healthcheck.Healthcheck(application, conf)
        self._probe = health.Probe(database, SECONDS)

    def __call__(self, environ, start_response):
        if environ.get("PATH_INFO") != PATH:
            return self._application(environ, start_response)
        response = webob.Request(environ).get_response(self._healthcheck)
        if response.status_int < 300 and (reason := self._probe.reason()):
            response = webob.Response(
                status=503, content_type="text/plain", text=reason.value
            )
        return response(environ, start_response)
