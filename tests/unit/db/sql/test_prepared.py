"""Statements that are compiled once."""

import sys
from unittest import mock

import sqlalchemy as sa
import testtools
from sqlalchemy.dialects import mysql

from placement.db import tables, taking_capacity
from placement.db.sql import prepared
from placement.db.sql.prepared import Prepared
from tests import databases


class Statements(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(databases.FreshDatabase()).database

    def test_a_prepared_statement_is_compiled_once(self):
        """If it fails, each claim takes twice as long, because it compiles its statement again."""
        statement = sa.select(sa.bindparam("x"), sa.bindparam("y"))
        build = mock.Mock(return_value=statement)
        query = Prepared(build)
        for _ in range(3):
            with self.database.reader() as conn:
                self.assertEqual([(1, 2)], query.execute(conn, {"y": 2, "x": 1}).all())
        self.assertEqual(1, build.call_count)

    def test_rows_are_padded_to_one_of_a_few_sizes(self):
        """If it fails, a worker compiles and keeps a statement for each number of rows."""
        for count in range(1, prepared.MAX_CONDITIONS + 1):
            rows = prepared.padded(range(count))
            self.assertEqual(list(range(count)), rows[:count])
            self.assertEqual({count - 1}, set(rows[count - 1 :]))
            self.assertIn(len(rows), prepared.SIZES)
        self.assertLess(len(prepared.SIZES), 15)

    def test_the_largest_text_is_not_larger_than_documented(self):
        """If it fails, a worker with claims of many shapes needs more memory than documented."""
        most = prepared.MAX_CONDITIONS
        for count, users, kilobytes in ((most, most, 150), (10, 1, 15)):
            one_each = (("resource_classes", 1), ("projects", 1), ("consumer_types", 1))
            statement = taking_capacity._statement(False, count, (*one_each, ("users", users)))
            text, order = statement._compile(mysql.dialect(paramstyle="format"))
            parts = {id(each): sys.getsizeof(each) for each in (text, order, *order)}
            self.assertLess(sum(parts.values()), kilobytes * 1000)

    def test_a_time_has_no_fraction_that_mysql_would_round_up_to_a_future_second(self):
        self.assertTrue(prepared.now().endswith(".000000"))

    def test_rows_of_any_number_are_inserted_with_their_time(self):
        for count in (0, 1, 250):
            with self.database.writer() as conn:
                conn.execute(sa.delete(tables.users))
                prepared.insert(
                    conn, tables.users, ("external_id",), [(str(each),) for each in range(count)]
                )
                rows = conn.execute(sa.select(tables.users)).all()
            self.assertEqual(count, len({row.external_id for row in rows}))
            self.assertTrue(all(row.created_at for row in rows))
