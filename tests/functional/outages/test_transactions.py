"""Connections and transactions that fail, and which exceptions of oslo.db report that."""

import contextlib
import uuid

import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement.db import engine, tables
from placement.db.engine import connecting
from placement.db.faults import outages
from placement.objects import resource_provider
from tests import databases


@databases.on_each_database
class Failures:
    """If a test fails, a client gets a 500 although the service has no fault."""

    def test_an_exhausted_pool_is_reported_as_an_unreachable_database(self):
        database = engine.connect(self.url, max_pool_size=1, max_overflow=0, pool_timeout=0)
        self.addCleanup(database.engine.dispose)
        if self.kind == "sqlite":
            # A file has no pool of connections.
            connect = database.engine.pool._creator
            database.engine.pool = sa.QueuePool(connect, pool_size=1, max_overflow=0, timeout=0)
        self.enterContext(contextlib.closing(database.engine.raw_connection()))
        error = self.assertRaises(db_exc.DBConnectionError, database.connection, "read")
        self.assertIs(outages.Reason.BUSY, error.reason)

    def test_a_file_that_stays_locked_is_reported_as_an_unreachable_database(self):
        if self.kind != "sqlite":
            self.skipTest("only SQLite locks the whole database")
        impatient = engine.connect(self.url)
        self.addCleanup(impatient.engine.dispose)
        sa.event.listen(impatient.engine, "connect", _wait_for_no_lock)
        with (
            self.database.writer(),
            self.assertRaisesRegex(db_exc.DBConnectionError, "locked"),
            impatient.writer(),
        ):
            pass

    def test_a_connection_that_fails_after_a_transaction_could_not_begin_is_unreachable(self):
        # A node of Galera that is cut off waits in vain for the others; then it refuses everything.
        systems = ("mariadb", "mysql", "postgresql", "sqlite")
        self.patch(connecting, "_BEGIN", {(system, "read"): "NONSENSE" for system in systems})
        refused = self.database.engine.dialect.loaded_dbapi.OperationalError(
            1047, "WSREP has not yet prepared node for application use"
        )
        with self.database.single_statement() as conn:
            self.patch(conn.dialect, "do_rollback", _raising(refused))
        reader = self.database.reader()
        with self.assertRaisesRegex(db_exc.DBConnectionError, "1047"), reader as conn:
            resource_provider.get(conn, "b2")

    def test_a_commit_that_loses_to_another_transaction_is_tried_again(self):
        # This is MariaDB's number. is_conflict() recognizes it in the errors of any driver.
        error = self.database.engine.dialect.loaded_dbapi.OperationalError(1020, "has changed")
        with self.database.single_statement() as conn:
            dialect, commit = conn.dialect, conn.dialect.do_commit
        attempts = []

        def commit_at_last(connection):
            if len(attempts) == 1:
                raise error
            commit(connection)

        self.patch(dialect, "do_commit", commit_at_last)
        self.database.in_transaction(attempts.append)
        self.assertEqual(2, len(attempts))

    def test_text_with_half_a_surrogate_pair_is_bad_data(self):
        for transaction in (self.database.reader, self.database.writer):
            with self.assertRaisesRegex(db_exc.DBDataError, "."), transaction() as conn:
                resource_provider.get(conn, "\ud800")
        with self.assertRaisesRegex(db_exc.DBDataError, "."), self.database.writer() as conn:
            resource_provider.create(conn, uuid=str(uuid.uuid4()), name="\ud800")


@databases.on_each_database
class Isolation:
    """If a test fails, writers rely on what they saw before they waited for a lock."""

    def test_the_isolation_level_does_not_depend_on_the_default_of_the_database(self):
        if self.kind != "postgresql":
            self.skipTest("only databases of PostgreSQL have a default of their own")
        database = databases.create_for(self)
        name = database.engine.url.database
        with database.writer() as conn:
            conn.exec_driver_sql(
                f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'"
            )
        database.engine.dispose()
        with database.writer() as first, database.writer() as second:
            for conn in (first, second):
                level = conn.exec_driver_sql("SHOW transaction_isolation").scalar()
                self.assertEqual("read committed", level)

    def test_a_reader_reads_one_snapshot(self):
        count = sa.select(sa.func.count()).select_from(tables.users)
        with self.database.reader() as conn:
            self.assertEqual(0, conn.scalar(count))
            with self.database.writer() as other:
                other.execute(sa.insert(tables.users).values(external_id="ada"))
            self.assertEqual(0, conn.scalar(count))
        with self.database.reader() as conn:
            self.assertEqual(1, conn.scalar(count))

    def test_only_a_transaction_that_lost_to_another_is_retried(self):
        if self.kind != "postgresql":
            self.skipTest("oslo.db knows the conflicts of the others")
        with self.database.writer() as conn:
            conn.execute(sa.insert(tables.users).values(external_id="ada"))
        conflict = self.assertRaises(
            sa.exc.OperationalError,
            self.update_what_others_update,
            self.database,
            "REPEATABLE READ",
        )
        self.assertTrue(engine.is_conflict(conflict))
        cancelled = self.assertRaises(db_exc.DBConnectionError, self.take_too_long)
        self.assertFalse(engine.is_conflict(cancelled))

    def test_a_writer_may_change_what_has_changed_since_it_read_it(self):
        """If it fails, writers get errors on MariaDB 11.6.2 and later, which check this."""
        database = self.with_snapshot_isolation()
        self.update_what_others_update(database, "READ COMMITTED")
        # Older releases of oslo.db have no exception of their own for this conflict.
        conflict = self.assertRaises(
            (db_exc.DBDeadlock, sa.exc.OperationalError),
            self.update_what_others_update,
            database,
            "REPEATABLE READ",
        )
        self.assertTrue(engine.is_conflict(conflict))
        self.assertIn("1020", str(conflict))

    def with_snapshot_isolation(self):
        """Return a Database with a user, whose connections check what they have read."""
        if self.kind != "mysql":
            self.skipTest("only MariaDB has innodb_snapshot_isolation")
        name = "innodb_snapshot_isolation"
        with self.database.writer() as conn:
            if not conn.exec_driver_sql(f"SHOW VARIABLES LIKE '{name}'").all():
                self.skipTest(f"this server has no {name}")
            conn.execute(sa.insert(tables.users).values(external_id="ada"))
        parameters = f"init_command=SET SESSION {name} = ON"
        database = engine.connect(self.url, connection_parameters=parameters)
        self.addCleanup(database.engine.dispose)
        return database

    def update_what_others_update(self, database, level):
        update = sa.update(tables.users).values(external_id=str(uuid.uuid4()))
        with database.writer() as conn:
            if level != "READ COMMITTED":
                conn.exec_driver_sql(f"SET TRANSACTION ISOLATION LEVEL {level}")
            conn.execute(sa.select(tables.users)).all()
            with self.database.writer() as other:
                other.execute(update)
            conn.execute(update)

    def take_too_long(self):
        with self.database.writer() as conn:
            conn.exec_driver_sql("SET LOCAL statement_timeout = 1")
            conn.exec_driver_sql("SELECT pg_sleep(9)")


@databases.on_each_database
class Sets:
    """If a test fails, a provider with thousands of traits or aggregates loses some."""

    def test_long_sets_of_names_are_not_truncated(self):
        # The names are twice as long as what MariaDB keeps by default; MySQL keeps a kilobyte.
        text = sa.literal("x" * 2**20)
        two = sa.union_all(sa.select(text.label("text")), sa.select(text)).subquery()
        with self.database.reader() as conn:
            aggregated = conn.scalar(sa.select(sa.func.aggregate_strings(two.c.text, ",")))
        self.assertEqual(2 * 2**20 + 1, len(aggregated))


def _wait_for_no_lock(dbapi_connection, _record):
    dbapi_connection.execute("PRAGMA busy_timeout = 0")


def _raising(error):
    def fail(*_):
        raise error

    return fail
