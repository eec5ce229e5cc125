"""What the statements of a request cost."""

import time

import sqlalchemy as sa
import testtools
from sqlalchemy import exc as sa_exc

from placement import cost
from placement.db import tables
from tests import databases


class Statements(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(databases.FreshDatabase()).database
        self.spent = cost.begin()

    def test_every_statement_but_begin_is_counted(self):
        with self.database.reader() as conn:
            conn.execute(sa.select(tables.traits.c.id))
            conn.execute(sa.select(tables.traits.c.id))
        with self.database.writer() as conn:
            conn.execute(sa.insert(tables.traits).values(name="CUSTOM_A"))
        self.assertEqual(3, self.spent.statements)
        self.assertTrue(0 < self.spent.sql + self.spent.connection < self.spent.seconds())

    def test_the_time_of_a_failed_statement_counts(self):
        def wait_and_fail():
            time.sleep(0.05)
            raise ValueError

        with self.database.reader() as conn:
            conn.connection.dbapi_connection.create_function("wait_and_fail", 0, wait_and_fail)
            statement = sa.text("SELECT wait_and_fail() FROM traits")
            self.assertRaises(sa_exc.OperationalError, conn.execute, statement)
        self.assertEqual(1, self.spent.statements)
        self.assertTrue(self.spent.sql >= 0.05)

    def test_the_time_of_a_commit_counts_as_database_time(self):
        dialect = self.database.engine.dialect
        commit = dialect.do_commit

        def slow_commit(connection):
            time.sleep(0.05)
            commit(connection)

        self.patch(dialect, "do_commit", slow_commit)
        with self.database.writer() as conn:
            conn.execute(sa.insert(tables.traits).values(name="CUSTOM_A"))
        self.assertTrue(self.spent.sql >= 0.05)
