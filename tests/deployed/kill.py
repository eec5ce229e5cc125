"""The service, or its connections to the database, killed again and again while clients write.

Run by `make kill`, on each database. KILLS says how often the service is killed; STORM_SECONDS, for
how long its connections are killed, with each driver. Tests of a driver that is not installed are
skipped, unless PLACEMENT_TEST_REQUIRE_ALL is set.
"""

import contextlib
import functools
import os
import random
import signal
import time

import fixtures
import requests
import sqlalchemy as sa
import testtools
from testtools import content

from placement.db.faults import drivers
from tests import databases, server
from tests.deployed import storm

KILLS = int(os.environ.get("KILLS", 3))
SECONDS = float(os.environ.get("STORM_SECONDS", 5))
# More requests than there are threads.
ENOUGH = 50


class _Story:
    def setUp(self):
        super().setUp()
        directory = self.useFixture(fixtures.TempDir()).path
        self.log = os.path.join(directory, "server.log")
        self.addOnException(lambda _: self.keep_log())
        port = server.free_port()
        self.address = f"127.0.0.1:{port}"
        self.books = storm.Books()
        self.storm = storm.Storm([f"http://{self.address}"], self.books)

    def keep_log(self):
        self.addDetail("server.log", content.content_from_file(self.log, buffer_now=True))

    @contextlib.contextmanager
    def service(self, **settings):
        """Yield the first process of the service, whose id is also that of its process group."""
        command = [server.program("gunicorn"), "--bind", self.address, "--workers", "2"]
        settings = {"placement_database__connection": self.url} | settings
        with server.process(
            [*command, "--threads", "4", server.APPLICATION],
            self.log,
            os.environ | server.environment(**settings),
            start_new_session=True,
        ) as process:
            attempt = functools.partial(server.ask, f"http://{self.address}/")
            server.wait_for(attempt, process, self.log)
            yield process

    def check_books(self):
        self.assertEqual([], storm.faults(self.database, self.books))

    def release_doubtful(self):
        """Once the service is back, release the claims without an answer.

        They may be stored or not.
        """
        self.check_books()
        self.storm.release_doubtful()
        self.assertEqual([], self.books.doubtful)
        self.check_books()


@databases.on_each_database
class Kill(_Story):
    """If a test fails, a crash leaves half a claim behind, or a client gets a false answer."""

    def test_acknowledged_writes_survive_a_kill_and_none_is_stored_in_part(self):
        with self.service():
            self.storm.register_hosts()
        doubts = 0
        for _ in range(KILLS):
            with self.service() as process:
                self.release_doubtful()
                with self.storm:
                    time.sleep(random.uniform(0.2, 1.5))
                    os.killpg(process.pid, signal.SIGKILL)
            doubts += len(self.books.doubtful)
            self.check_books()
        with self.service():
            self.release_doubtful()
        print(f"{KILLS} kills, {doubts} consumers in doubt: {self.books}")
        self.assertEqual(set(), {status for _, status in self.books.answers if status >= 500})


class _LostConnections(_Story):
    """If a test fails, after a restart of the database server, the service cannot serve."""

    def setUp(self):
        if self.kind not in databases.reachable():
            self.skipTest(f"There is no {self.kind} server.")
        driver = sa.make_url(f"{self.kind}+{self.driver}://")
        if not _is_installed(driver) and not databases.REQUIRE_ALL:
            self.skipTest(f"{self.driver} is not installed.")
        super().setUp()
        fresh = self.useFixture(databases.FreshDatabase(self.kind))
        self.database = fresh.database
        self.url = sa.make_url(fresh.url).set(drivername=driver.drivername)

    def test_no_answer_is_500_and_the_pool_is_whole_afterwards(self):
        # If such a pool loses one connection, it has none left.
        settings = {
            "placement_database__connection": self.url.render_as_string(hide_password=False),
            "placement_database__max_pool_size": "1",
            "placement_database__max_overflow": "0",
            # A worker may still be starting.
            "placement_database__retry_interval": "0",
            "placement_database__max_retries": "-1",
        }
        with self.service(**settings):
            self.storm.register_hosts()
            end = functools.partial(databases.disconnect_others, choose=_one_or_all)
            ends = 0
            with self.storm:
                deadline = time.monotonic() + SECONDS
                while time.monotonic() < deadline:
                    time.sleep(random.uniform(0, 0.2))
                    # Connections of the test may be among them.
                    self.database.in_transaction(end)
                    ends += 1
            self.database.disconnect()
            answers = [self.get(path) for path in ("/traits", "/healthcheck") * ENOUGH]
            self.release_doubtful()
        print(f"{self.url.drivername}: connections lost {ends} times: {self.books}")
        self.assertEqual({200}, set(answers))
        self.assertLessEqual(
            {status for _, status in self.books.answers if status >= 500}, {503}
        )

    def get(self, path):
        return requests.get(
            f"http://{self.address}{path}", headers=storm.HEADERS, timeout=storm.TIMEOUT_SECONDS
        ).status_code


class LostConnectionsOfPyMySQL(_LostConnections, testtools.TestCase):
    kind, driver = "mysql", "pymysql"


class LostConnectionsOfMysqlclient(_LostConnections, testtools.TestCase):
    kind, driver = "mysql", "mysqldb"


class LostConnectionsOfPsycopg2(_LostConnections, testtools.TestCase):
    kind, driver = "postgresql", "psycopg2"


class LostConnectionsOfPsycopg3(_LostConnections, testtools.TestCase):
    kind, driver = "postgresql", "psycopg"


class Drivers(testtools.TestCase):
    def test_each_driver_loses_its_connections(self):
        """If it fails, the loss of connections was not tested with every supported driver."""
        tested = {(each.kind, each.driver) for each in _LostConnections.__subclasses__()}
        servers = {kind: names for kind, names in drivers.SUPPORTED.items() if kind != "sqlite"}
        supported = {(kind, name) for kind, names in servers.items() for name in names}
        self.assertEqual(supported, tested)


def _is_installed(url):
    try:
        url.get_dialect().import_dbapi()
    except ImportError:
        return False
    return True


def _one_or_all(connections):
    return random.choice([connections, random.sample(connections, min(1, len(connections)))])
