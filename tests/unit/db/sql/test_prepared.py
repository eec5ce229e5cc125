"""Statements that are compiled once."""

import sqlalchemy as sa
import testtools

from placement.db import tables
from placement.db.sql import prepared
from placement.db.sql.prepared import Prepared
from tests import databases


class CountedStatement:
    """A statement that counts how often it is compiled."""

    def __init__(self, statement):
        self.statement, self.count = statement, 0

    def compile(self, **options):
        self.count += 1
        return self.statement.compile(**options)


class Statements(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(databases.FreshDatabase()).database

    def test_a_prepared_statement_is_compiled_once(self):
        """If it fails, each claim compiles it again, which takes as long as the rest of it."""
        counted = CountedStatement(sa.select(sa.bindparam("x"), sa.bindparam("y")))
        query = Prepared(counted)
        for _ in range(3):
            with self.database.reader() as conn:
                self.assertEqual([(1, 2)], query.execute(conn, {"y": 2, "x": 1}).all())
        self.assertEqual(1, counted.count)

    def test_any_number_of_rows_is_inserted_with_the_time(self):
        for count in (0, 1, 250):
            with self.database.writer() as conn:
                conn.execute(sa.delete(tables.users))
                prepared.insert(
                    conn, tables.users, ("external_id",), [(str(each),) for each in range(count)]
                )
                rows = conn.execute(sa.select(tables.users)).all()
            self.assertEqual(count, len({row.external_id for row in rows}))
            self.assertTrue(all(row.created_at for row in rows))
