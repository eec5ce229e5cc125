"""Reports are read from a replica, and everything else from the primary."""

import sqlalchemy as sa
import testtools

from placement.db import engine, tables
from tests import databases
from tests.functional.worlds import provider


class Reports(testtools.TestCase):
    """If a test fails, clients are answered from a replica, or reports never are."""

    def setUp(self):
        super().setUp()
        self.primary = self.useFixture(databases.FreshDatabase())
        self.replica = self.useFixture(databases.FreshDatabase())
        # A real replica would be equal, but this one differs, to show which of the two was read.
        for fresh, name in ((self.primary, "on the primary"), (self.replica, "on the replica")):
            with fresh.database.writer() as conn:
                provider(conn, name)

    def names(self, transaction):
        with transaction as conn:
            return list(conn.exec_driver_sql("SELECT name FROM resource_providers").scalars())

    def test_only_reports_are_read_from_the_replica(self):
        database = engine.connect(self.primary.url, replica_url=self.replica.url)
        self.assertEqual(["on the replica"], self.names(database.reports()))
        self.assertEqual(["on the primary"], self.names(database.reader()))
        self.assertEqual(["on the primary"], self.names(database.writer()))

    def test_a_database_that_is_given_up_keeps_no_connection_to_the_replica(self):
        """If it fails, each sample of the capacity leaves a connection behind for a while."""
        database = engine.connect(self.primary.url, replica_url=self.replica.url)
        files = []

        def note(disposed):
            files.append(disposed.url.database)

        sa.event.listen(sa.Engine, "engine_disposed", note)
        self.addCleanup(sa.event.remove, sa.Engine, "engine_disposed", note)
        database.disconnect()
        both = self.primary.database, self.replica.database
        self.assertEqual({each.engine.url.database for each in both}, set(files))

    def test_a_report_reads_one_snapshot_and_blocks_no_writer(self):
        database = engine.connect(self.primary.url, replica_url=self.replica.url)
        with database.reports() as conn:
            count = sa.select(sa.func.count()).select_from(tables.resource_providers)
            self.assertEqual(1, conn.scalar(count))
            with self.replica.database.writer() as other:
                provider(other, "another")
            self.assertEqual(1, conn.scalar(count))

    def test_without_a_replica_reports_are_read_from_the_primary(self):
        database = engine.connect(self.primary.url)
        self.assertEqual(["on the primary"], self.names(database.reports()))

    def test_while_the_replica_does_not_answer_reports_are_read_from_the_primary(self):
        gone = "postgresql+psycopg2://placement@127.0.0.1:1/placement"
        with self.assertLogs(engine.database.LOG, "WARNING") as logged:
            database = engine.connect(self.primary.url, replica_url=gone)
            self.assertEqual(["on the primary"], self.names(database.reports()))
        self.assertIn("No replica can be reached", logged.output[0])

    def test_if_no_transaction_can_begin_on_the_replica_reports_are_read_from_the_primary(self):
        database = engine.connect(self.primary.url, replica_url=self.replica.url)

        def begin(conn):
            if conn.engine.url.database == self.replica.database.engine.url.database:
                raise sa.exc.OperationalError("BEGIN", {}, Exception("no transactions now"))

        sa.event.listen(sa.Engine, "begin", begin)
        self.addCleanup(sa.event.remove, sa.Engine, "begin", begin)
        self.assertEqual(["on the primary"], self.names(database.reports()))
