"""GET /healthcheck: whether this process can serve requests. For load balancers; needs no token."""

import webob
from oslo_middleware import healthcheck

from placement.db.engine import health
from placement.environ import REASON

PATH = "/healthcheck"

# A load balancer that asks every few seconds can wait this long.
SECONDS = 2

# The answer with this text is still 200: the process can serve, and a load balancer would otherwise
# take all processes out of service.
OLD_RULES = (
    "The policy files cannot be used, so the previous rules stay in force. The log of the service "
    "says why."
)


class Health:
    """Middleware: answers PATH, and leaves everything else to the application.

    oslo.middleware's Healthcheck answers, with the backends that the operator has chosen. If they
    find the process healthy, the database is checked, too. A healthy process also reports policy
    files that cannot be used.

    rules: the policy.Policy of the application, if there is one
    """

    def __init__(self, application, conf, database, rules=None):
        self._application = application
        self._rules = rules
        self._healthcheck = healthcheck.Healthcheck(application, conf)
        self._probe = health.Probe(database, seconds=SECONDS)

    def __call__(self, environ, start_response):
        if environ.get("PATH_INFO") != PATH:
            return self._application(environ, start_response)
        # The prefix is left out: it does not matter here, and a client may send one that is not
        # UTF-8.
        request = webob.Request(environ | {"SCRIPT_NAME": ""})
        response = request.get_response(self._healthcheck)
        # oslo.middleware does not know our database and our policy, so both are checked here. If
        # the database answers, the probe gives no reason.
        if response.status_int < 300 and (reason := self._probe.reason()):
            environ[REASON] = reason.value
            response = webob.Response(
                status=503, content_type="text/plain", text=reason.value
            )
        # A HEAD is answered with 204, which has no room for a text.
        elif response.status_int == 200 and not (self._rules is None or self._rules.is_readable()):
            response = webob.Response(content_type="text/plain", text=OLD_RULES)
        elif response.status_int >= 500:
            environ[REASON] = "A backend of [healthcheck] finds this process unhealthy."
        return response(environ, start_response)
