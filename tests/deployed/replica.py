"""A service whose PostgreSQL has a replica: what is read from it, and what is not.

Run by `make cluster`. Without PostgreSQL these tests are skipped, unless
PLACEMENT_TEST_REQUIRE_ALL is set.
"""

import os
import time
import unittest

import sqlalchemy as sa
import testtools

from placement.db import engine
from tests import databases, server
from tests.deployed import storm
from tests.deployed.servers import postgresql

SECONDS = float(os.environ.get("STORM_SECONDS", 10))
# How long a replica on the same machine may need to catch up.
PATIENCE_SECONDS = 30


def setUpModule():
    if not postgresql.IS_INSTALLED and not databases.REQUIRE_ALL:
        raise unittest.SkipTest("PostgreSQL is not installed")


class Replica(testtools.TestCase):
    """If a test fails, clients read what is no longer true, or reports burden the primary."""

    def setUp(self):
        super().setUp()
        self.primary, self.replica = self.enterContext(postgresql.replicated())
        self.url = self.enterContext(
            server.placement(
                placement_database__connection=self.primary.url,
                placement_database__slave_connection=self.replica.url,
                # Samples are read from the replica, too, now and then.
                operator__capacity_history_days="0",
            )
        )

    def connect(self, *arguments):
        database = engine.connect(*arguments)
        self.addCleanup(database.engine.dispose)
        return database

    def answers_from_replica(self, database):
        with database.reports() as conn:
            return conn.scalar(sa.select(sa.func.pg_is_in_recovery()))

    def test_reports_are_read_from_the_replica_while_it_answers(self):
        database = self.connect(self.primary.url, self.replica.url)
        self.assertTrue(self.answers_from_replica(database))
        self.replica.kill()
        self.assertFalse(self.answers_from_replica(database))
        self.replica.start()
        self.assertTrue(self.answers_from_replica(database))

    def test_only_reports_read_from_the_replica_and_its_sums_are_right(self):
        books = storm.Books()
        clients = storm.Storm([self.url], books)
        clients.register_hosts()
        with clients:
            time.sleep(SECONDS)
        self.assertEqual([], books.doubtful)
        self.assertEqual([], books.failures)
        replica = self.connect(self.replica.url)
        self.assertEqual(0, self.sessions(replica))
        self.assertEqual([], storm.faults(self.connect(self.primary.url), books))
        self.wait_for_replica(books, replica)
        print(books)

    def sessions(self, database):
        """Return the number of other connections.

        A service keeps a connection once it has used it.
        """
        with database.reader() as conn:
            return conn.scalar(
                sa.text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            ) - 1

    def wait_for_replica(self, books, replica):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while faults := storm.faults(replica, books):
            self.assertLess(time.monotonic(), deadline, faults)
            time.sleep(0.1)
