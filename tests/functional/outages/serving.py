"""The service with short timeouts on a database that may be lost, for tests of each database."""

import logging

import fixtures as base_fixtures
import sqlalchemy as sa
import webob

from placement import deploy
from placement.conf import connection
from placement.db import engine
from placement.db.engine.timeouts import Timeouts
from tests import databases, fixtures, proxy

# This is long enough for a busy machine to serve a request.
SHORT = Timeouts(connect=2, statement=3, lock=1)
# Whatever takes longer waits without a bound. (All bounds here are far shorter.)
FOREVER = 30

PORTS = {"mysql": 3306, "postgresql": 5432}


class Service:
    """A mixin: the service over the database of a test, in the process of the test."""

    def connect(self, url=None, timeouts=SHORT):
        database = engine.connect(url or self.url, timeouts=timeouts)
        self.addCleanup(database.engine.dispose)
        return database

    def setUp(self):
        super().setUp()
        self.traits = 0
        # The service sets this level, too.
        logger = logging.getLogger("oslo_db.sqlalchemy.exc_filters")
        self.addCleanup(logger.setLevel, logger.level)
        logger.setLevel(logging.ERROR)

    def serve(self, url=None, **overrides):
        """Begin to serve the database, with short timeouts. `ask` uses this service."""
        shortest = {
            "connection": self.url if url is None else url,
            "connect_timeout": SHORT.connect,
            "statement_timeout": SHORT.statement,
            "lock_timeout": SHORT.lock,
            "max_retries": 0,
        }
        configuration = fixtures.configuration(
            **{f"placement_database__{name}": value for name, value in shortest.items()}
            | overrides
        )
        self.served = connection.connect(configuration)
        self.addCleanup(self.served.engine.dispose)
        self.application = deploy.compose(configuration, self.served)

    def ask(self, method="GET", path="/resource_providers", **options):
        headers = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}
        request = webob.Request.blank(path, method=method, headers=headers, **options)
        return request.get_response(self.application)

    def read(self):
        return self.ask()

    def read_one_statement(self):
        return self.ask(path="/resource_classes")

    def read_report(self):
        return self.ask(path="/operator/capacity")

    def write(self):
        self.traits += 1
        return self.ask("PUT", f"/traits/CUSTOM_{'A' * self.traits}")

    def create(self, name):
        """Create a provider."""
        return self.ask(
            "POST", "/resource_providers", json={"name": name}, content_type="application/json"
        )

    def check_outage(self, reason, *requests):
        """Check that each of the `requests` gets a 503 for a Reason, and one line in the log."""
        for request in requests:
            with base_fixtures.FakeLogger(level=logging.WARNING) as log:
                answer = request()
            self.assertEqual(503, answer.status_int, answer.text)
            self.assertEqual("5", answer.headers["Retry-After"])
            self.assertIn(reason.value, answer.json["errors"][0]["detail"])
            [line] = log.output.splitlines()
            self.assertIn(reason.value, line)

    def check_health(self, reason):
        """Check that /healthcheck reports a Reason, and that nothing above DEBUG is logged."""
        with base_fixtures.FakeLogger(level=logging.INFO) as log:
            answer = self.ask(path="/healthcheck")
        self.assertEqual((503, reason.value), (answer.status_int, answer.text))
        self.assertEqual("", log.output)


class OverANetwork(Service):
    """A mixin: the same for a database that is a server in a network, and not a file."""

    def setUp(self):
        super().setUp()
        if self.kind == "sqlite":
            self.skipTest("SQLite is not a server")

    def go_through_a_proxy(self):
        """Return (proxy, url)."""
        url = sa.make_url(self.url)
        way = proxy.Proxy((url.host, url.port or PORTS[self.kind]))
        way = self.enterContext(way)
        return way, url.set(host="127.0.0.1", port=way.port).render_as_string(False)

    def disconnect_others(self):
        """Let the server close the connections of all others to this database."""
        with self.database.writer() as conn:
            databases.disconnect_others(conn)
        # The connections in the test's own pool are among them.
        self.database.engine.dispose()
