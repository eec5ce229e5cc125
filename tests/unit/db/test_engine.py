"""Transactions, and when they are tried again."""

import sqlalchemy as sa
import testtools
from oslo_db import exception as db_exc

from placement.db import engine, tables
from tests import databases


class Transactions(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(databases.FreshDatabase()).database

    def ensure_trait(self, conn, name):
        traits = tables.traits
        known = set(conn.scalars(sa.select(traits.c.name)))
        if self.interloper is not None:
            # Another process is faster by the moment between our two statements.
            known.discard(self.interloper)
            self.interloper = None
        if name not in known:
            conn.execute(sa.insert(traits).values(name=name))
            return "added"
        return "found"

    def test_one_that_adds_what_another_writer_adds_looks_again(self):
        self.interloper = None
        self.assertEqual(
            "added", self.database.in_transaction(lambda conn: self.ensure_trait(conn, "CUSTOM_A"))
        )
        self.interloper = "CUSTOM_A"
        self.assertEqual(
            "found", self.database.in_transaction(lambda conn: self.ensure_trait(conn, "CUSTOM_A"))
        )

    def test_what_an_attempt_wrote_is_undone_before_the_next(self):
        attempts = []

        def work(conn):
            conn.execute(sa.insert(tables.traits).values(name="CUSTOM_A"))
            attempts.append(conn)
            if len(attempts) < 3:
                raise db_exc.DBDeadlock()

        self.database.in_transaction(work)
        self.assertEqual(3, len(attempts))

    def test_the_last_attempt_says_what_is_in_the_way(self):
        def work(conn):
            raise db_exc.DBDuplicateEntry(["name"])

        self.patch(engine, "_RETRIES", 1)
        self.assertRaises(db_exc.DBDuplicateEntry, self.database.in_transaction, work)

    def test_two_retries_are_three_attempts(self):
        attempts = []

        def conflict():
            attempts.append(None)
            raise db_exc.DBDeadlock()

        self.assertRaises(db_exc.DBDeadlock, engine.retry_on_conflict(conflict, 2))
        self.assertEqual(3, len(attempts))
