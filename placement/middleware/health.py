"""GET /healthcheck: can this process serve requests? For load balancers, without a token."""

import logging

import webob
from oslo_middleware import healthcheck

from placement.db import schema

PATH = "/healthcheck"

LOG = logging.getLogger(__name__)


class Health:
    """Middleware: PATH is answered here, everything else by the application.

    oslo.middleware's Healthcheck answers, with the backends that the operator has chosen;
    a process that it finds healthy must also reach the database.
    """

    def __init__(self, application, conf, database):
        self._application = application
        self._healthcheck = healthcheck.Healthcheck(application, conf)
        self._database = database

    def __call__(self, environ, start_response):
        if environ.get("PATH_INFO") != PATH:
            return self._application(environ, start_response)
        response = webob.Request(environ).get_response(self._healthcheck)
        if response.status_int < 300 and not self._reaches_database():
            response = webob.Response(
                status=503, content_type="text/plain", text="The database cannot be reached."
            )
        return response(environ, start_response)

    def _reaches_database(self):
        try:
            # A connection from the pool is tested before it is handed out.
            with self._database.reader() as conn:
                # It may have been given back while this process was running.
                schema.check_present(conn)
                return True
        except Exception as error:
            # Whatever it is: a process that cannot talk to its database is not healthy.
            LOG.error("The database cannot be reached: %s", error)
            return False
