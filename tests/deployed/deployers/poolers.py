"""The service behind a pooler, which gives each transaction another session.

The pooler is pgbouncer or, for MariaDB, a proxy of our own. Run by `make deployers`. Skipped where
pgbouncer is not installed, unless PLACEMENT_TEST_REQUIRE_ALL is set.
"""

import functools
import importlib.util
import os
import pathlib
import shutil
import time
import uuid

import sqlalchemy as sa
import testtools
from oslo_db import exception as db_exc

from placement.db import engine
from placement.db.derived_sums import recount
from tests import databases, server
from tests.deployed import cloud, storm
from tests.deployed.deployers import session_pool
from tests.deployed.servers import unprivileged
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


class Pooled(testtools.TestCase):
    """Tests of a service that reaches its database, at `url`, through a pooler."""

    def check_storm(self, pooled_url, title, **options):
        """Let clients claim through a pooler, and check the answers and what is stored."""
        books = storm.Books()
        with server.placement(placement_database__connection=pooled_url, **options) as served:
            clients = storm.Storm([served], books)
            clients.register_hosts()
            with clients:
                time.sleep(SECONDS)
        print(f"{title}: {books}")
        self.assertEqual([], books.failures)
        self.assertEqual(0, books.stale)
        database = engine.connect(self.url)
        self.addCleanup(database.engine.dispose)
        self.assertEqual([], storm.faults(database, books))


class PgBouncer(Pooled):
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
        # There are no more clients than sessions: in this mode, each client keeps a session.
        size = {"max_pool_size": "2", "max_overflow": "0"} if mode == "session" else {}
        options = {f"placement_database__{name}": value for name, value in size.items()}
        self.check_storm(self.pooled(mode, driver), f"{mode}, {driver}", **options)

    def test_claims_are_right_though_each_transaction_has_another_session(self):
        for driver in ("psycopg2", "psycopg"):
            if importlib.util.find_spec(driver):
                self.check("transaction", driver)

    def test_claims_are_right_in_a_pool_of_sessions(self):
        self.check("session", "psycopg2")

    def test_a_pool_of_statements_is_refused(self):
        """Such a pool would store half of a transaction."""
        database = engine.connect(self.pooled("statement", "psycopg2"))
        self.addCleanup(database.engine.dispose)
        self.assertRaises(db_exc.DBError, database.connection, "write")


class SharedSessions(Pooled):
    """A proxy in front of MariaDB that shares sessions, and ignores their settings."""

    def setUp(self):
        super().setUp()
        if "mysql" not in databases.reachable():
            self.skipTest("there is no MariaDB")
        self.url = sa.make_url(databases.create("mysql"))

    def pool(self, size, **options):
        return self.enterContext(session_pool.SessionPool(self.url, size, **options))

    def test_what_a_transaction_has_set_is_lost_in_the_next_one(self):
        """If it fails, the other tests prove nothing."""
        for options in ({"size": 2}, {"size": 1, "resets": True}):
            with sa.create_engine(self.pool(**options).clients_url).connect() as conn:
                conn.exec_driver_sql("SET @placement_native = 1")
                self.assertIsNone(conn.exec_driver_sql("SELECT @placement_native").scalar())

    def test_claims_are_right_though_each_transaction_has_another_session(self):
        """If it fails, ProxySQL makes sums wrong by sharing sessions between clients.

        It does this with multiplexing, and without query digests.
        """
        pool = self.pool(20)
        self.check_storm(pool.clients_url, "shared sessions")

    def test_claims_are_right_though_sessions_are_reset(self):
        pool = self.pool(20, resets=True)
        self.check_storm(pool.clients_url, "reset sessions")

    def test_what_another_program_writes_in_a_session_of_this_service_is_found(self):
        """Such a write cannot be counted, so doc/how-to/database.rst says how to avoid it."""
        pool = self.pool(1)
        host, consumer = str(uuid.uuid4()), str(uuid.uuid4())
        with server.placement(placement_database__connection=pool.clients_url) as served:
            client = cloud.Client(served)
            client.register(host, {"VCPU": 4})
            self.assertEqual(204, client.claim(consumer, host, VCPU=1))
        with sa.create_engine(pool.clients_url).begin() as other:
            other.exec_driver_sql("UPDATE allocations SET used = 3")
        database = engine.connect(self.url)
        self.addCleanup(database.engine.dispose)
        with database.reader() as conn:
            [wrong] = recount.find_wrong(conn)
        self.assertEqual((1, 3), (wrong.used, wrong.allocated))
        self.assertEqual(1, recount.correct_all(database))
