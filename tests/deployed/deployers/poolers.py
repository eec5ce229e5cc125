"""The service behind a pooler: pgbouncer, which gives each transaction another session.

Run by `make deployers`. Skipped where it is not installed, unless PLACEMENT_TEST_REQUIRE_ALL is
set.
"""

import functools
import importlib.util
import os
import pathlib
import shutil
import time

import sqlalchemy as sa
import testtools

from placement.db import engine
from tests import databases, server
from tests.deployed import storm, unprivileged
from tests.deployed.web_servers import site

SECONDS = float(os.environ.get("STORM_SECONDS", 10))
PROGRAM = shutil.which("pgbouncer", path=site.PATH)
# pgbouncer refuses to run as root.
ACCOUNT = "daemon"

CONFIGURATION = """
[databases]
* = host={host} port={port} user={user} password={password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen_port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
# Fewer sessions than the clients have connections.
default_pool_size = 3
max_client_conn = 100
"""


class Poolers(testtools.TestCase):
    def setUp(self):
        super().setUp()
        if "postgresql" not in databases.reachable():
            self.skipTest("there is no PostgreSQL")
        if PROGRAM is None and not databases.REQUIRE_ALL:
            self.skipTest("pgbouncer is not installed")
        self.url = sa.make_url(databases.create("postgresql"))

    def pooled(self, mode, driver):
        """Start pgbouncer in a mode, and return the URL of the database through it."""
        directory = pathlib.Path(self.enterContext(unprivileged.directory(ACCOUNT)))
        port = server.free_port()
        settings = directory / "pgbouncer.ini"
        settings.write_text(
            CONFIGURATION.format(
                host=self.url.host,
                port=self.url.port or 5432,
                user=self.url.username,
                password=self.url.password or "none",
                listen_port=port,
                mode=mode,
            )
        )
        unprivileged.hand_over(settings, ACCOUNT)
        command = [*unprivileged.prefix(ACCOUNT), PROGRAM, str(settings)]
        log = directory / "log"
        process = self.enterContext(server.process(command, log))
        server.wait_for(functools.partial(site.connect, port), process, log)
        pooled = self.url.set(host="127.0.0.1", port=port, drivername=f"postgresql+{driver}")
        return pooled.render_as_string(hide_password=False)

    def check(self, mode, driver):
        books = storm.Books()
        url = self.pooled(mode, driver)
        # No more than there are sessions, which a client keeps in this mode.
        size = {"max_pool_size": "2", "max_overflow": "0"} if mode == "session" else {}
        options = {f"placement_database__{name}": value for name, value in size.items()}
        with server.placement(placement_database__connection=url, **options) as served:
            clients = storm.Storm([served], books)
            clients.register_hosts()
            with clients:
                time.sleep(SECONDS)
        print(f"{mode}, {driver}: {books}")
        self.assertEqual([], books.failures)
        self.assertEqual(0, books.stale)
        database = engine.connect(self.url)
        self.addCleanup(database.engine.dispose)
        self.assertEqual([], storm.faults(database, books))

    def test_claims_are_right_though_each_transaction_has_another_session(self):
        for driver in ("psycopg2", "psycopg"):
            if importlib.util.find_spec(driver):
                self.check("transaction", driver)

    def test_claims_are_right_in_a_pool_of_sessions(self):
        self.check("session", "psycopg2")
