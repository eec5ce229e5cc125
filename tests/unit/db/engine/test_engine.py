"""Transactions, and when they are tried again."""

import time
from unittest import mock

import sqlalchemy as sa
import testtools
from oslo_db import exception as db_exc

from placement import cost
from placement.db import engine, tables
from placement.db.faults import outages
from tests import databases


class Transactions(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(databases.FreshDatabase()).database

    def ensure_trait(self, conn, name):
        traits = tables.traits
        known = set(conn.scalars(sa.select(traits.c.name)))
        if self.interloper is not None:
            # Another process gets in between our two statements.
            known.discard(self.interloper)
            self.interloper = None
        if name not in known:
            conn.execute(sa.insert(traits).values(name=name))
            return "added"
        return "found"

    def test_a_transaction_that_adds_a_duplicate_row_is_retried(self):
        self.interloper = None
        self.assertEqual(
            "added", self.database.in_transaction(lambda conn: self.ensure_trait(conn, "CUSTOM_A"))
        )
        self.interloper = "CUSTOM_A"
        self.assertEqual(
            "found", self.database.in_transaction(lambda conn: self.ensure_trait(conn, "CUSTOM_A"))
        )

    def test_an_attempt_is_rolled_back_before_the_next(self):
        attempts = []

        def work(conn):
            conn.execute(sa.insert(tables.traits).values(name="CUSTOM_A"))
            attempts.append(conn)
            if len(attempts) < 3:
                raise db_exc.DBDeadlock()

        self.database.in_transaction(work)
        self.assertEqual(3, len(attempts))

    def test_a_command_waits_as_long_as_configured_for_another_writer_of_a_file(self):
        """A server has timeouts of its own: see test_timeouts.py."""
        database = engine.connect("sqlite://")
        self.addCleanup(database.disconnect)
        with database.reader() as conn:
            wait = conn.exec_driver_sql("PRAGMA busy_timeout").scalar()
        self.assertEqual(15_000, wait)

    def test_the_error_of_the_last_attempt_is_raised(self):
        def work(conn):
            raise db_exc.DBDuplicateEntry(["name"])

        self.patch(engine.database, "_RETRIES", 1)
        self.assertRaises(db_exc.DBDuplicateEntry, self.database.in_transaction, work)


class Connecting(testtools.TestCase):
    """If a test fails, a database that cannot be reached gets a 500, or a pool runs empty."""

    def test_whatever_a_driver_raises_for_a_connection_is_an_outage(self):
        """oslo.db knows only some of these errors, and raises its own for them."""
        database = self.useFixture(databases.FreshDatabase()).database
        refused = Exception("refused")
        for error in (sa.exc.OperationalError("", {}, refused), db_exc.DBConnectionError(refused)):
            engines = dict.fromkeys(database._engines, mock.Mock(**{"connect.side_effect": error}))
            with mock.patch.object(database, "_engines", engines):
                outage = self.assertRaises(outages.Outage, database.connection, "read")
            self.assertIs(outages.Reason.UNREACHABLE, outage.reason)

    def test_a_lost_connection_is_recognised_whoever_raises_the_error(self):
        """oslo.db knows only some of the errors that a lost connection may cause."""
        conn = mock.Mock(invalidated=True)
        gone = Exception("gone")
        self.patch(engine.database.trusted_connections, "is_trusted", lambda conn: True)
        for error in (sa.exc.OperationalError("SELECT 1", {}, gone), db_exc.DBError(gone)):
            with (
                testtools.ExpectedException(outages.Lost),
                engine.database._recognising_lost(conn),
            ):
                raise error

    def test_a_replica_whose_connection_is_lost_is_left_out_and_the_connection_put_back(self):
        url = self.useFixture(databases.FreshDatabase()).url
        database = engine.connect(url, replica_url=url)
        self.addCleanup(database.disconnect)
        begun = []

        def lose(conn):
            begun.append(conn)
            raise sa.exc.OperationalError("BEGIN", {}, Exception("lost"))

        self.patch(sa.Connection, "begin", lose)
        with database.reports() as conn:
            self.assertIs(database.engine.pool, conn.engine.pool)
        self.assertEqual([True], [each.closed for each in begun])


class Conflicts(testtools.TestCase):
    def test_an_error_of_mariadb_that_old_releases_of_oslo_db_do_not_know_is_a_conflict(self):
        self.assertTrue(self.is_conflict(1020, "Record has changed since last read in table"))
        self.assertFalse(self.is_conflict(1021, "Disk full"))
        self.assertFalse(self.is_conflict())

    def is_conflict(self, *arguments):
        cause = Exception(*arguments)
        return engine.is_conflict(sa.exc.OperationalError("UPDATE", {}, cause))


class Retries(testtools.TestCase):
    def attempts(self, error, retries, seconds):
        """Return how often a function that always raises `error` is called, and what is raised."""
        calls = []

        def lose():
            calls.append(time.monotonic())
            time.sleep(0.05)
            raise error

        retried = engine.retry_on_conflict(lose, retries, seconds)
        raised = self.assertRaises((db_exc.DBDeadlock, KeyError), retried)
        return len(calls), raised

    def test_retries_are_counted(self):
        self.assertEqual(3, self.attempts(db_exc.DBDeadlock(), 2, 60)[0])

    def test_a_request_counts_its_retries_by_cause(self):
        spent = cost.begin()
        self.attempts(db_exc.DBDeadlock(), 2, 60)
        self.attempts(db_exc.RetryRequest(KeyError()), 1, 60)
        self.assertEqual({"DBDeadlock": 2, "KeyError": 1}, spent.restarts_by_cause)

    def test_retries_end_after_some_time_however_many_are_left(self):
        self.assertLess(self.attempts(db_exc.DBDeadlock(), 1000, 0.2)[0], 6)

    def test_the_cause_is_raised_whatever_ends_the_retries(self):
        cause = KeyError("lost")
        for retries, seconds in ((0, 60), (1000, 0.1)):
            _, raised = self.attempts(db_exc.RetryRequest(cause), retries, seconds)
            self.assertIs(cause, raised)


class StartDuringAnOutage(testtools.TestCase):
    """If a test fails, a start ends before the database is back, or long after it should."""

    def attempts(self, *failures, max_retries):
        """Return how often `work` is called, and what happens in the end.

        It raises the Outages with these reasons, in turn, and then returns "served". The waits are
        only noted: there must be one of 7 seconds between two calls.
        """
        outcomes = [outages.Outage(reason, "down") for reason in failures]
        work = mock.Mock(side_effect=[*outcomes, "served"])
        with mock.patch.object(engine.retries, "time") as clock:
            try:
                end = engine.retry_while_unreachable(work, max_retries, retry_interval=7)
            except outages.Outage as error:
                end = error.reason
        self.assertEqual([mock.call(7)] * (work.call_count - 1), clock.sleep.mock_calls)
        return work.call_count, end

    def test_the_database_is_tried_as_often_as_configured(self):
        down = [outages.Reason.UNREACHABLE] * 20
        for max_retries, expected in ((0, 1), (1, 1), (2, 2), (10, 10)):
            count, end = self.attempts(*down, max_retries=max_retries)
            self.assertEqual((expected, outages.Reason.UNREACHABLE), (count, end), max_retries)

    def test_the_last_attempt_may_succeed(self):
        down = [outages.Reason.UNREACHABLE] * 9
        self.assertEqual((10, "served"), self.attempts(*down, max_retries=10))

    def test_there_may_be_no_limit(self):
        down = [outages.Reason.UNREACHABLE] * 100
        self.assertEqual((101, "served"), self.attempts(*down, max_retries=-1))

    def test_only_what_may_pass_is_waited_for(self):
        reached = {each.name: self.attempts(each, max_retries=2)[1] for each in outages.Reason}
        passing = {name for name, end in reached.items() if end == "served"}
        self.assertEqual({"UNREACHABLE", "BUSY", "SLOW", "CHANGED"}, passing)

    def test_a_connection_is_tried_as_often_as_configured(self):
        # Nothing listens on port 1.
        url = "mysql+pymysql://root@127.0.0.1:1/placement"
        with (
            mock.patch.object(engine.retries, "time") as clock,
            self.assertLogs(engine.retries.LOG, "WARNING") as logged,
            self.assertRaises(outages.Outage),
        ):
            engine.connect(url, max_retries=3, retry_interval=7)
        self.assertEqual(3, len(logged.output), logged.output)
        self.assertIn("attempt 1 of 3, one every 7 seconds: ", logged.output[0])
        self.assertEqual([mock.call(7)] * 2, clock.sleep.mock_calls)
