"""Databases that do not answer, or do not do what they are asked: bounds on time, and 503."""

import contextlib
import functools
import logging
import os
import pkgutil
import time
import warnings
from concurrent import futures
from unittest import mock

import fixtures as base_fixtures
import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement import deploy, errors
from placement.conf import connection
from placement.db import engine, tables
from placement.db.faults import outages
from placement.db.faults.outages import Reason
from placement.db.schema import migrate
from tests import databases, fixtures
from tests.functional.outages.serving import FOREVER, SHORT, OverANetwork, Service

DROP = {
    "sqlite": "DROP TABLE {}",
    "mysql": "DROP TABLE {}",
    "postgresql": "DROP TABLE {} CASCADE",
}
# MariaDB cannot read a rebuilt table in an older snapshot; psycopg 3 cannot use an older plan.
CHANGE = {
    "sqlite": "ALTER TABLE traits ADD COLUMN another INTEGER",
    "mysql": "ALTER TABLE traits FORCE",
    "postgresql": "ALTER TABLE traits ALTER COLUMN name TYPE VARCHAR(299)",
}
SLEEP = {"mysql": "SELECT SLEEP(15)", "postgresql": "SELECT pg_sleep(15)"}


@databases.on_each_database
class DatabasesThatDoNotServe(Service):
    def test_a_missing_table_is_reported_as_an_outage(self):
        url = databases.create(self.kind)
        with self.connect(url, timeouts=None).writer() as conn, warnings.catch_warnings():
            # The warning says that PostgreSQL computes columns when it stores a row.
            warnings.simplefilter("ignore", sa.exc.SAWarning)
            tables.metadata.create_all(conn)
            if self.kind == "mysql":
                conn.exec_driver_sql("SET foreign_key_checks = 0")
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
            migrate.upgrade(patient)
        self.serve(url, **overrides)

        def change():
            with other.writer() as conn:
                conn.exec_driver_sql(CHANGE[self.kind])

        return self.served, change

    def test_tables_changed_during_a_transaction_fail_no_request(self):
        """If it fails, a migration under a running service answers requests with 500."""
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
            # The other transactions go on reading in their snapshots.
            changes.append(change)
            error = self.assertRaises(outages.Outage, read)
            self.assertEqual(Reason.CHANGED, error.reason)

    def test_tables_changed_between_requests_fail_no_request(self):
        database, change = self.changing(placement__allocation_conflict_retry_count=1)
        connections = [database.connection(engine.TransactionKind.READ) for _ in range(3)]
        for conn in connections:
            conn.close()
        enough_to_be_prepared = 7
        # The pool hands out its connections in turn.
        for _ in range(enough_to_be_prepared * len(connections)):
            self.assertEqual(200, self.ask(path="/traits").status_int)
            self.assertEqual(201, self.write().status_int)
        change()
        self.assertEqual(200, self.ask(path="/traits").status_int)
        self.assertEqual(201, self.write().status_int)

    def test_a_writer_that_waits_for_a_lock_is_retried_for_a_limited_time(self):
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

    def test_a_write_that_takes_too_long_is_rolled_back(self):
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

    def test_a_change_of_tables_has_no_time_limit(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite limits no statement")
        sleep = SLEEP[self.kind].replace("15", str(SHORT.statement + 1.2))
        with self.connect().patient() as patient, patient.writer() as conn:
            conn.exec_driver_sql(sleep)

    def test_a_connection_lost_at_the_start_is_replaced(self):
        """gunicorn stops altogether when one of its workers does not start."""
        unreachable = db_exc.DBConnectionError("closed")
        for work, loss in (
            ("placement.db.schema.migrate._migrate", unreachable),
            ("placement.db.derived_sums.triggers.are_present", outages.Lost("closed")),
            ("placement.db.schema.standard_names.synchronise", unreachable),
        ):
            configuration = fixtures.configuration(
                placement_database__connection=self.url,
                placement_database__sync_on_startup="true",
                placement_database__retry_interval="7",
            )
            with (
                self.subTest(work),
                _failing_once(work, loss) as calls,
                mock.patch.object(engine.retries, "time", wraps=time) as clock,
            ):
                clock.sleep = mock.Mock()
                deploy.start(configuration, connection.connect(configuration))
                self.assertEqual(2, calls.call_count)
                clock.sleep.assert_called_once_with(7)

    def test_a_permanent_database_error_ends_the_start_at_once(self):
        configuration = fixtures.configuration(placement_database__connection=self.url)
        full = outages.Outage(outages.Reason.FULL, "disk full")
        with (
            _failing_once("placement.db.schema.standard_names.synchronise", full) as calls,
            self.assertRaises(outages.Outage),
        ):
            deploy.start(configuration, connection.connect(configuration))
        self.assertEqual(1, calls.call_count)

    def test_no_connection_is_open_before_a_fork(self):
        configuration = fixtures.configuration(placement_database__connection=self.url)
        opened, closed = [], []
        for event, seen in ("connect", opened), ("close", closed):
            listener = functools.partial(_append_one, seen)
            sa.event.listen(sa.pool.Pool, event, listener)
            self.addCleanup(sa.event.remove, sa.pool.Pool, event, listener)
        deploy.start(configuration, connection.connect(configuration))
        self.assertTrue(opened)
        self.assertEqual(opened, closed)


@contextlib.contextmanager
def _failing_once(name, error):
    function = pkgutil.resolve_name(name)
    with mock.patch(name, side_effect=[error, mock.DEFAULT], wraps=function) as calls:
        yield calls


def _append_one(seen, *_):
    seen.append(1)


@databases.on_each_database
class Servers(OverANetwork):
    def test_a_frozen_server_is_abandoned_and_used_again_when_it_thaws(self):
        way, url = self.go_through_a_proxy()
        self.serve(url)
        clients = 16
        with futures.ThreadPoolExecutor(clients) as threads:
            # Of the connections that these threads have made, some stay in the pool.
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

    def test_a_server_that_is_frozen_at_the_start_is_retried(self):
        way, url = self.go_through_a_proxy()
        way.freeze()
        with (
            futures.ThreadPoolExecutor(1) as threads,
            self.assertLogs(engine.retries.LOG, "WARNING") as logged,
        ):
            started = threads.submit(
                engine.connect, url, timeouts=SHORT, max_retries=FOREVER, retry_interval=0
            )
            while not logged.output:
                time.sleep(0.1)
            way.thaw()
            started.result().engine.dispose()
        self.assertIn("attempt 1", logged.output[0])

    def test_a_server_that_freezes_while_a_connection_is_new_is_abandoned(self):
        """If it fails, a process hangs at its start, and its log says nothing."""
        way, url = self.go_through_a_proxy()
        self.addCleanup(way.thaw)

        def begin():
            with self.connect(url).reader() as conn:
                conn.exec_driver_sql("SELECT 1")

        # Logging in takes up to four messages; the others are about the first statements.
        for messages in range(1, 8):
            way.thaw()
            way.freeze_after(messages)
            began = time.monotonic()
            error = self.assertRaises(outages.Outage, begin)
            # SQLAlchemy hides why its own first statements failed.
            self.assertIn(error.reason, (Reason.SLOW, Reason.UNREACHABLE), messages)
            self.assertLess(time.monotonic() - began, FOREVER, messages)

    def test_a_server_that_freezes_during_a_transaction_is_abandoned(self):
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
        # The first time, a statement took too long; the second time, the commit did.
        self.assertEqual([Reason.SLOW, Reason.SLOW], ends)

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

    def test_a_trigger_that_mariadb_read_only_in_part_is_read_again(self):
        """If it fails, after a timeout or a conflict in a cluster, claims may fail permanently."""
        if not databases.is_mariadb(self.database):
            self.skipTest("only MariaDB keeps what it has read of a trigger")
        self.serve(placement_database__statement_timeout=FOREVER)
        self.assertEqual(200, self.create("first").status_int)
        self.addCleanup(migrate.share, self.database)
        with self.connect().connection(engine.TransactionKind.WRITE) as conn:
            self.break_off_reading_a_trigger(conn)
        with base_fixtures.FakeLogger(level=logging.WARNING) as log:
            answer = self.create("second")
        self.assertEqual(200, answer.status_int, answer.text)
        self.assertEqual(1, log.output.count("read only part of a trigger"))

    def break_off_reading_a_trigger(self, conn):
        """Make a trigger long, and end statements while it is read, until writes are refused."""
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
        if self.kind == "postgresql":
            limit, expected = "SHOW statement_timeout", ["30s", "0"]
        elif databases.is_mariadb(self.database):
            limit, expected = "SELECT @@max_statement_time", [30, 0]
        else:
            limit, expected = "SELECT @@max_execution_time", [30_000, 0]
        limits = []
        for connect in (connection.connect, connection.connect_patiently):
            database = connect(configuration)
            self.addCleanup(database.engine.dispose)
            with database.reader() as conn:
                limits.append(conn.exec_driver_sql(limit).scalar())
        self.assertEqual(expected, limits)

    def test_timeouts_in_the_url_are_kept(self):
        url = sa.make_url(self.url).update_query_dict({"connect_timeout": "7"})
        self.assertEqual("7", self.connect(url).engine.url.query["connect_timeout"])

    def test_parameters_replace_those_of_the_url_and_the_defaults(self):
        """If it fails, an operator who wants to wait longer has a service that does not start."""
        for url in (self.url, f"{self.url}?connect_timeout=8"):
            self.serve(url, placement_database__connection_parameters="connect_timeout=7")
            self.assertEqual(200, self.read().status_int)
            served = self.served.engine
            _, options = served.dialect.create_connect_args(served.url)
            self.assertEqual(7, int(options["connect_timeout"]))

    def test_connections_to_a_read_only_server_are_not_used_again(self):
        if self.kind != "postgresql":
            self.skipTest("only PostgreSQL can make a single database read-only")
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


class FilesThatDoNotServe(Service, databases._OnDatabase):
    kind = "sqlite"

    def setUp(self):
        super().setUp()
        self.path = sa.make_url(self.url).database
        self.serve()
        self.assertEqual(201, self.write().status_int)

    def test_a_deleted_database_file_is_not_created_again(self):
        os.unlink(self.path)
        self.check_outage(Reason.UNREACHABLE, self.read, self.write)
        self.check_health(Reason.UNREACHABLE)
        self.assertFalse(os.path.exists(self.path))

    def test_a_damaged_file_is_reported_as_damaged(self):
        with open(self.path, "wb") as file:
            file.write(b"rubbish" * 1000)
        self.check_outage(Reason.DAMAGED, self.read, self.write)
        self.check_health(Reason.DAMAGED)

    def test_on_a_full_disk_a_write_is_answered_with_503(self):
        @sa.event.listens_for(self.served.engine, "connect")
        def limit(connection, _record):
            connection.execute("PRAGMA max_page_count = 1")

        # The free space in existing pages is used up first.
        self.traits = 200
        while self.write().status_int == 201:
            pass
        self.check_outage(Reason.FULL, self.write)

    def test_the_health_check_fails_on_a_full_disk(self):
        full = mock.Mock(f_bavail=0, f_bfree=0)
        self.useFixture(base_fixtures.MockPatchObject(os, "statvfs", return_value=full))
        self.check_health(Reason.FULL)

    def test_a_file_that_cannot_be_written_answers_writes_with_503(self):
        @sa.event.listens_for(self.served.engine, "connect")
        def forbid(connection, _record):
            connection.execute("PRAGMA query_only = ON")

        self.check_outage(Reason.READ_ONLY, self.write)
        self.useFixture(base_fixtures.MockPatchObject(os, "access", return_value=False))
        self.check_health(Reason.READ_ONLY)

    def test_a_file_that_stays_locked_answers_writes_with_503_and_reads(self):
        with self.database.writer():
            self.check_outage(Reason.LOCKED, self.write)
            # Readers of the file do not have to wait.
            self.assertEqual(200, self.read().status_int)
            self.assertEqual(200, self.ask(path="/healthcheck").status_int)
