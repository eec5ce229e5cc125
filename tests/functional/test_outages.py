"""Databases that do not answer, or do not do what they are asked: bounds on time, and 503."""

import contextlib
import functools
import itertools
import logging
import os
import threading
import time
from concurrent import futures
from unittest import mock

import fixtures as base_fixtures
import sqlalchemy as sa
import webob
from oslo_db import exception as db_exc

from placement import connection, deploy, errors
from placement.db import engine, outages, pool, schema, tables
from placement.db.outages import Reason
from placement.db.timeouts import Timeouts
from tests import databases, fixtures, proxy

# Also what a busy machine needs to serve a request.
SHORT = Timeouts(connect=2, statement=3, lock=1)
# What takes longer waits without a bound. (No bound here comes near to it.)
FOREVER = 30

PORTS = {"mysql": 3306, "postgresql": 5432}
DROP = {
    "sqlite": "DROP TABLE {}",
    "mysql": "SET STATEMENT foreign_key_checks = 0 FOR DROP TABLE {}",
    "postgresql": "DROP TABLE {} CASCADE",
}
# What MariaDB rebuilds, no snapshot from before can be read in; a plan of psycopg 3 cannot be used.
CHANGE = {
    "sqlite": "ALTER TABLE traits ADD COLUMN another INTEGER",
    "mysql": "ALTER TABLE traits FORCE",
    "postgresql": "ALTER TABLE traits ALTER COLUMN name TYPE VARCHAR(299)",
}
LIMIT = {"mysql": "SELECT @@max_statement_time", "postgresql": "SHOW statement_timeout"}
# More messages than any request costs.
MANY = 1000
SLEEP = {"mysql": "SELECT SLEEP(15)", "postgresql": "SELECT pg_sleep(15)"}


class _Story:
    def connect(self, url=None, timeouts=SHORT):
        database = engine.connect(url or self.url, timeouts=timeouts, max_retries=0)
        self.addCleanup(database.engine.dispose)
        return database

    def setUp(self):
        super().setUp()
        self.traits = 0
        # As the service sets it.
        logger = logging.getLogger("oslo_db.sqlalchemy.exc_filters")
        self.addCleanup(logger.setLevel, logger.level)
        logger.setLevel(logging.ERROR)

    def serve(self, url=None, **overrides):
        """Begin to serve the database, with short timeouts. `ask` asks this service."""
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
        """Each of the `requests` is a 503 for a Reason, and one line in the log."""
        for request in requests:
            with base_fixtures.FakeLogger(level=logging.WARNING) as log:
                answer = request()
            self.assertEqual(503, answer.status_int, answer.text)
            self.assertEqual("5", answer.headers["Retry-After"])
            self.assertIn(reason.value, answer.json["errors"][0]["detail"])
            [line] = log.output.splitlines()
            self.assertIn(reason.value, line)

    def check_health(self, reason):
        """The health says a Reason, and nothing above DEBUG in the log."""
        with base_fixtures.FakeLogger(level=logging.INFO) as log:
            answer = self.ask(path="/healthcheck")
        self.assertEqual((503, reason.value), (answer.status_int, answer.text))
        self.assertEqual("", log.output)


@databases.on_each_database
class DatabasesThatDoNotServe(_Story):
    def test_without_a_table_the_service_says_so(self):
        url = databases.create(self.kind)
        with self.connect(url, timeouts=None).writer() as conn:
            tables.metadata.create_all(conn)
            for table in (tables.inventories, tables.traits, tables.resource_providers):
                conn.exec_driver_sql(DROP[self.kind].format(table.name))
        self.serve(url)
        self.check_outage(Reason.NO_TABLE, self.read, self.write)
        self.check_health(Reason.NO_TABLE)

    def changing(self, **overrides):
        """Return (database, change): `change` changes a table of a migrated database."""
        url = databases.create(self.kind)
        database, other = self.connect(url), self.connect(url)
        with database.patient() as patient:
            schema.upgrade(patient)
        self.serve(url, **overrides)

        def change():
            with other.writer() as conn:
                conn.exec_driver_sql(CHANGE[self.kind])

        return self.served, change

    def test_tables_that_are_changed_within_a_transaction_cost_none(self):
        """If it fails, to migrate the database of a service that runs answers requests with 500."""
        database, change = self.changing()
        changes = [change]

        def read():
            with database.reader() as conn:
                conn.execute(sa.select(tables.resource_classes.c.id)).all()
                while changes:
                    changes.pop()()
                return conn.execute(sa.select(tables.traits.c.id)).all()

        self.assertEqual([], engine.retry_on_conflict(read, 1)())
        if self.kind == "mysql":
            # The others read on in their snapshot.
            changes.append(change)
            error = self.assertRaises(outages.Outage, read)
            self.assertEqual(Reason.CHANGED, error.reason)

    def test_tables_that_are_changed_between_requests_cost_none(self):
        database, change = self.changing(placement__allocation_conflict_retry_count=1)
        connections = [database.connection("read") for _ in range(3)]
        for conn in connections:
            conn.close()
        enough_to_be_prepared = 7
        # The pool gives one after the other.
        for _ in range(enough_to_be_prepared * len(connections)):
            self.assertEqual(200, self.ask(path="/traits").status_int)
            self.assertEqual(201, self.write().status_int)
        change()
        self.assertEqual(200, self.ask(path="/traits").status_int)
        self.assertEqual(201, self.write().status_int)

    def test_what_waits_for_a_lock_is_tried_again_only_for_a_while(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite has one lock, which is held too long by something broken")
        self.serve(
            placement__allocation_conflict_retry_seconds=2,
            placement_database__statement_timeout=FOREVER,
        )
        uuid = self.create("host").json["uuid"]
        path, began = f"/resource_providers/{uuid}", time.monotonic()
        with self.database.writer() as conn:
            conn.execute(sa.update(tables.resource_providers).values(generation=7))
            answer = self.ask(
                "PUT", path, json={"name": "other"}, content_type="application/json"
            )
        self.assertLess(time.monotonic() - began, FOREVER)
        self.assertEqual(409, answer.status_int, answer.text)
        self.assertEqual(errors.CONCURRENT_UPDATE, answer.json["errors"][0]["code"])

    def test_a_writer_that_takes_too_long_is_undone(self):
        database = self.connect()

        def add_slowly():
            with database.writer() as conn:
                conn.execute(sa.insert(tables.traits).values(name="CUSTOM_SLOW"))
                time.sleep(SHORT.statement + 0.1)

        error = self.assertRaises(outages.Outage, add_slowly)
        self.assertEqual(Reason.SLOW, error.reason)
        with self.database.reader() as conn:
            names = conn.scalars(sa.select(tables.traits.c.name)).all()
        self.assertNotIn("CUSTOM_SLOW", names)

    def test_work_that_changes_tables_may_take_its_time(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite limits no statement")
        sleep = SLEEP[self.kind].replace("15", str(SHORT.statement + 1.2))
        with self.connect().patient() as patient, patient.writer() as conn:
            conn.exec_driver_sql(sleep)

    def test_there_are_no_connections_that_a_fork_would_share(self):
        configuration = fixtures.configuration(placement_database__connection=self.url)
        opened, closed = [], []
        for event, seen in ("connect", opened), ("close", closed):
            listener = functools.partial(_append_one, seen)
            sa.event.listen(sa.pool.Pool, event, listener)
            self.addCleanup(sa.event.remove, sa.pool.Pool, event, listener)
        deploy.start(configuration, connection.connect(configuration))
        self.assertTrue(opened)
        self.assertEqual(opened, closed)


def _append_one(seen, *_):
    seen.append(1)


@databases.on_each_database
class Servers(_Story):
    """What a machine in the network can do, unlike a file."""

    def setUp(self):
        super().setUp()
        if self.kind == "sqlite":
            self.skipTest("SQLite is no server")

    def go_through_a_proxy(self):
        """Return (proxy, url)."""
        url = sa.make_url(self.url)
        way = proxy.Proxy((url.host, url.port or PORTS[self.kind]))
        way = self.enterContext(way)
        return way, url.set(host="127.0.0.1", port=way.port).render_as_string(False)

    def test_one_that_freezes_is_left_and_one_that_thaws_is_there_at_once(self):
        way, url = self.go_through_a_proxy()
        self.serve(url)
        clients = 16
        with futures.ThreadPoolExecutor(clients) as threads:
            # Some of the connections that all of them have made stay in the pool.
            list(threads.map(lambda _: self.read(), range(clients)))
            self.assertEqual(200, self.ask(path="/healthcheck").status_int)
            way.freeze()
            began = time.monotonic()
            probes = [threads.submit(self.ask, path="/healthcheck") for _ in range(2)]
            answers = [
                threads.submit(self.write if number % 2 else self.read)
                for number in range(clients)
            ]
            for probe in probes:
                self.assertEqual(503, probe.result().status_int)
            for answer in answers:
                self.assertEqual(503, answer.result().status_int)
            self.assertLess(time.monotonic() - began, FOREVER)
            way.thaw()
            for answer in [threads.submit(self.read) for _ in range(clients)]:
                self.assertEqual(200, answer.result().status_int)

    def test_one_that_is_frozen_at_the_start_is_tried_again(self):
        way, url = self.go_through_a_proxy()
        way.freeze()
        with (
            futures.ThreadPoolExecutor(1) as threads,
            self.assertLogs(engine.LOG, "WARNING") as logged,
        ):
            started = threads.submit(
                engine.connect, url, timeouts=SHORT, max_retries=FOREVER, retry_interval=0
            )
            while not logged.output:
                time.sleep(0.1)
            way.thaw()
            started.result().engine.dispose()
        self.assertIn("attempt 1", logged.output[0])

    def test_one_that_freezes_within_a_transaction_is_left(self):
        way, url = self.go_through_a_proxy()
        database, ends = self.connect(url), []
        self.addCleanup(way.thaw)
        for _ in range(2):
            way.thaw()
            with database.reader() as conn:
                conn.exec_driver_sql("SELECT 1")
            began = time.monotonic()

            def go_on(statement):
                with database.writer() as conn:
                    conn.exec_driver_sql("SELECT 1")
                    way.freeze()
                    if statement:
                        conn.exec_driver_sql(statement)

            error = self.assertRaises(outages.Outage, go_on, None if ends else "SELECT 2")
            ends.append(error.reason)
            self.assertLess(time.monotonic() - began, FOREVER)
        # The second time it was the commit.
        self.assertEqual([Reason.SLOW, Reason.SLOW], ends)

    def disconnect_others(self):
        """Let the server close the connections of all others to this database."""
        with self.database.writer() as conn:
            databases.disconnect_others(conn)
        # Those in its pool are among them.
        self.database.engine.dispose()

    def test_connections_that_are_lost_between_requests_cost_none(self):
        self.serve()
        for rested, request, status in [
            (0, self.read, 200),
            (0, self.write, 201),
            (pool.TRUST_SECONDS, self.read, 200),
            (pool.TRUST_SECONDS, self.write, 201),
        ]:
            with futures.ThreadPoolExecutor(4) as threads:
                list(threads.map(lambda _: self.read(), range(4)))
            self.disconnect_others()
            time.sleep(rested)
            self.assertEqual(status, request().status_int)

    def test_one_that_is_lost_at_any_message_costs_no_place_in_the_pool(self):
        """If it fails, each restart of a database server leaves the service fewer connections."""
        way, url = self.go_through_a_proxy()
        self.serve(
            url,
            placement_database__max_pool_size=1,
            placement_database__max_overflow=0,
            placement_database__pool_timeout=1,
        )
        for request, statuses in [
            (self.read_one_statement, {200}),
            (self.read, {200}),
            (self.read_report, {200}),
            # What came of a commit without an answer nobody knows.
            (self.write, {201, 503}),
        ]:
            for messages in itertools.count(1):
                # A connection that has worked a moment ago.
                self.read()
                way.cut_after(messages)
                self.assertIn(request().status_int, statuses, (request, messages))
                self.assertEqual(0, self.served.engine.pool.checkedout(), (request, messages))
                if way.left is not None:
                    break
            way.left = None
            self.assertGreater(messages, 2)

    def test_one_that_the_driver_has_closed_is_replaced(self):
        self.serve()
        for request in (self.read_one_statement, self.read, self.write):
            for _ in range(2):
                self.assertLess(request().status_int, 300)
                with self.served.connection("read") as conn:
                    driver = conn.connection.dbapi_connection
                # While it lies in the pool.
                driver.close()
        self.assertEqual(0, self.served.engine.pool.checkedout())

    def test_one_statement_is_one_message(self):
        way, url = self.go_through_a_proxy()
        self.serve(url)
        self.read_one_statement()
        way.cut_after(MANY)
        self.assertEqual(200, self.read_one_statement().status_int)
        # To MySQL, a ROLLBACK costs less than to do without it.
        pairs = {"mysql": 2, "postgresql": 1}[self.kind]
        self.assertEqual(pairs * 2, MANY - way.left)

    def use_all_connections(self, **overrides):
        """Serve with two connections, and return both."""
        self.serve(
            placement_database__max_pool_size=1, placement_database__max_overflow=1, **overrides
        )
        return [self.enterContext(self.served.connection("read")) for _ in range(2)]

    def test_a_pool_that_has_turned_a_request_away_is_no_health_until_one_is_put_back(self):
        """If it fails, a load balancer goes on to send requests to where none is served."""
        one, _other = self.use_all_connections(placement_database__pool_timeout=0)
        self.assertEqual(200, self.ask(path="/healthcheck").status_int)
        self.check_outage(Reason.BUSY, self.read, self.read)
        self.check_health(Reason.BUSY)
        self.check_health(Reason.BUSY)
        one.close()
        self.assertEqual(200, self.ask(path="/healthcheck").status_int)
        self.enterContext(self.served.connection("read"))
        # In use again, and nobody has waited for it.
        self.assertEqual(200, self.ask(path="/healthcheck").status_int)

    def test_a_request_that_waits_for_a_connection_is_no_outage(self):
        """If it fails, a short burst takes a server out of service."""
        one, _other = self.use_all_connections(placement_database__pool_timeout=FOREVER)
        began = threading.Event()

        @contextlib.contextmanager
        def track_inprogress():
            began.set()
            yield

        waiting = mock.Mock(track_inprogress=track_inprogress)
        self.served.count_connections(mock.Mock(), waiting)
        with futures.ThreadPoolExecutor(1) as threads:
            answer = threads.submit(self.read)
            began.wait(FOREVER)
            self.assertEqual(200, self.ask(path="/healthcheck").status_int)
            one.close()
            self.assertEqual(200, answer.result().status_int)

    def test_attempts_to_connect_that_failed_leave_no_exhausted_pool(self):
        way, url = self.go_through_a_proxy()
        self.serve(
            url,
            placement_database__max_pool_size=1,
            placement_database__max_overflow=0,
            placement_database__pool_timeout=0,
        )
        way.freeze()
        with futures.ThreadPoolExecutor(1) as threads:
            connecting = threads.submit(self.read)
            while not self.served.engine.pool.checkedout():
                time.sleep(0.01)
            self.assertEqual(503, self.read().status_int)
            self.assertTrue(self.served.is_exhausted)
            self.assertEqual(503, connecting.result().status_int)
        way.thaw()
        self.assertFalse(self.served.is_exhausted)

    def test_one_that_is_lost_before_the_commit_can_be_replaced_and_one_at_the_commit_not(self):
        database, errors = self.connect(), []

        def go_on(statement):
            with database.writer() as conn:
                conn.exec_driver_sql("SELECT 1")
                self.disconnect_others()
                if statement:
                    conn.exec_driver_sql(statement)

        for statement in ("SELECT 2", None):
            # It has worked a moment ago.
            with database.reader() as conn:
                conn.exec_driver_sql("SELECT 1")
            errors.append(self.assertRaises(db_exc.DBConnectionError, go_on, statement))
        self.assertEqual([True, False], [engine.can_be_repeated(error) for error in errors])

    def test_one_that_is_lost_at_once_is_not_replaced(self):
        # Its server may have been felled by what it was sent.
        def go_on():
            with self.connect().writer() as conn:
                self.disconnect_others()
                conn.exec_driver_sql("SELECT 1")

        error = self.assertRaises(db_exc.DBConnectionError, go_on)
        self.assertFalse(engine.can_be_repeated(error))

    def test_a_transaction_costs_no_message_but_its_own(self):
        if self.kind != "mysql":
            self.skipTest("only MySQL counts the messages of a connection")
        database, counts = self.connect(), []
        status = "SHOW SESSION STATUS WHERE variable_name IN ('Com_admin_commands', 'Questions')"
        for _ in range(2):
            with database.writer() as conn:
                counts.append({name: int(count) for name, count in conn.exec_driver_sql(status)})
        # The first count does not have itself in it, and then came a commit.
        self.assertEqual(counts[0]["Questions"] + 2, counts[1]["Questions"])
        self.assertEqual(counts[0]["Com_admin_commands"], counts[1]["Com_admin_commands"])

    def test_a_statement_that_takes_too_long_is_ended_by_the_server(self):
        database = self.connect()

        def sleep():
            with database.reader() as conn:
                try:
                    conn.exec_driver_sql(SLEEP[self.kind])
                finally:
                    self.assertFalse(conn.invalidated)

        error = self.assertRaises(outages.Outage, sleep)
        self.assertEqual(Reason.SLOW, error.reason)

    def test_a_trigger_that_was_read_in_part_is_read_again(self):
        """If it fails, a timeout, or a conflict in a cluster, may end all claims for good."""
        if self.kind != "mysql":
            self.skipTest("only MariaDB keeps what it has read of a trigger")
        self.serve(placement_database__statement_timeout=FOREVER)
        self.assertEqual(200, self.create("first").status_int)
        with self.connect().connection("write") as conn:
            self.break_off_reading_a_trigger(conn)
        with base_fixtures.FakeLogger(level=logging.WARNING) as log:
            answer = self.create("second")
        self.assertEqual(200, answer.status_int, answer.text)
        self.assertEqual(1, log.output.count("read a trigger in part"))

    def break_off_reading_a_trigger(self, conn):
        """Make one long, and end a statement while it is read, until writes are refused."""
        conn.exec_driver_sql(
            "CREATE OR REPLACE TRIGGER placement_resource_providers_insert BEFORE INSERT"
            " ON resource_providers FOR EACH ROW BEGIN SET NEW.counted_generation ="
            f" NEW.generation; {'IF NEW.id = 0 THEN SET NEW.id = 0; END IF; ' * 2_000} END"
        )
        write = "UPDATE resource_providers SET id = id"
        for _ in range(50):
            conn.exec_driver_sql("REPAIR LOCAL TABLE resource_providers").close()
            with contextlib.suppress(db_exc.DBError, sa.exc.DBAPIError):
                conn.exec_driver_sql(f"SET STATEMENT max_statement_time = 0.02 FOR {write}")
            try:
                conn.exec_driver_sql(write)
            except db_exc.DBError as error:
                self.assertIn("has an error in its body", str(error))
                return
        self.fail("the trigger was read whole each time")

    def test_commands_wait_longer_than_requests(self):
        configuration = fixtures.configuration(placement_database__connection=self.url)
        limits = []
        for connect in (connection.connect, connection.connect_patiently):
            database = connect(configuration)
            self.addCleanup(database.engine.dispose)
            with database.reader() as conn:
                limits.append(conn.exec_driver_sql(LIMIT[self.kind]).scalar())
        self.assertEqual({"mysql": [30, 0], "postgresql": ["30s", "0"]}[self.kind], limits)

    def test_what_the_url_says_of_timeouts_is_left_alone(self):
        url = sa.make_url(self.url).update_query_dict({"connect_timeout": "7"})
        self.assertEqual("7", self.connect(url).engine.url.query["connect_timeout"])

    def test_parameters_replace_what_the_url_says_and_what_would_be_set(self):
        """If it fails, an operator who wants to wait longer has a service that does not start."""
        for url in (self.url, f"{self.url}?connect_timeout=8"):
            self.serve(url, placement_database__connection_parameters="connect_timeout=7")
            self.assertEqual(200, self.read().status_int)
            served = self.served.engine
            _, options = served.dialect.create_connect_args(served.url)
            self.assertEqual(7, int(options["connect_timeout"]))

    def test_a_read_only_server_is_left_for_the_one_that_took_over(self):
        if self.kind != "postgresql":
            self.skipTest("only PostgreSQL can be made so for one database")
        self.serve()
        self.assertEqual(200, self.read().status_int)
        name = sa.make_url(self.url).database
        set_all = f"ALTER DATABASE {name} SET default_transaction_read_only = "

        def end():
            with self.served.engine.connect() as conn:
                conn.exec_driver_sql("SET TRANSACTION READ WRITE")
                conn.exec_driver_sql(f"{set_all}off")
                conn.commit()
            self.served.engine.dispose()

        with self.database.writer() as conn:
            conn.exec_driver_sql(f"{set_all}on")
        self.addCleanup(end)
        self.served.engine.dispose()
        self.check_outage(Reason.READ_ONLY, self.write)
        self.check_health(Reason.READ_ONLY)
        self.assertEqual(0, self.served.engine.pool.checkedin())
        self.assertEqual(200, self.read().status_int)


class FilesThatDoNotServe(_Story, databases._OnDatabase):
    kind = "sqlite"

    def setUp(self):
        super().setUp()
        self.path = sa.make_url(self.url).database
        self.serve()
        self.assertEqual(201, self.write().status_int)

    def test_one_that_is_gone_is_not_made_anew(self):
        os.unlink(self.path)
        self.check_outage(Reason.UNREACHABLE, self.read, self.write)
        self.check_health(Reason.UNREACHABLE)
        self.assertFalse(os.path.exists(self.path))

    def test_rubbish_is_no_database(self):
        with open(self.path, "wb") as file:
            file.write(b"rubbish" * 1000)
        self.check_outage(Reason.DAMAGED, self.read, self.write)
        self.check_health(Reason.DAMAGED)

    def test_a_full_disk_lets_nothing_be_written(self):
        @sa.event.listens_for(self.served.engine, "connect")
        def limit(connection, _record):
            connection.execute("PRAGMA max_page_count = 1")

        # What is free in the pages that there are is used up first.
        self.traits = 200
        while self.write().status_int == 201:
            pass
        self.check_outage(Reason.FULL, self.write)

    def test_the_health_knows_of_a_full_disk(self):
        full = mock.Mock(f_bavail=0, f_bfree=0)
        self.useFixture(base_fixtures.MockPatchObject(os, "statvfs", return_value=full))
        self.check_health(Reason.FULL)

    def test_one_that_cannot_be_written(self):
        @sa.event.listens_for(self.served.engine, "connect")
        def forbid(connection, _record):
            connection.execute("PRAGMA query_only = ON")

        self.check_outage(Reason.READ_ONLY, self.write)
        self.useFixture(base_fixtures.MockPatchObject(os, "access", return_value=False))
        self.check_health(Reason.READ_ONLY)

    def test_one_that_stays_locked(self):
        with self.database.writer():
            self.check_outage(Reason.LOCKED, self.write)
            # Its readers do not wait.
            self.assertEqual(200, self.read().status_int)
            self.assertEqual(200, self.ask(path="/healthcheck").status_int)
