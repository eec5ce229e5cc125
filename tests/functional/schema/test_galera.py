"""The lock of a Galera cluster; `make cluster` tries it on a real one.

If a test fails, the first migration on a cluster fails, or two nodes migrate at once.
"""

from unittest import mock

import sqlalchemy as sa

from placement.db.schema import galera
from tests import databases

HOLDERS = sa.table(galera.LOCK_TABLE, sa.column("node"), sa.column("until"))


@databases.on_each_database
class GaleraLock:
    def setUp(self):
        super().setUp()
        if self.kind != "mysql":
            self.skipTest("No other database has Galera clusters")
        self.conn = databases.create_for(self).engine.connect()
        self.addCleanup(self.conn.close)

    def lock(self, node):
        """Return the lock that a node of a cluster uses."""
        self.enterContext(mock.patch.object(galera, "node", return_value=node))
        return galera.lock(self.conn, seconds=9)

    def holders(self):
        return self.conn.scalars(sa.select(HOLDERS.c.node)).all()

    def test_the_first_holder_of_the_lock_creates_its_table_and_leaves_no_row(self):
        with self.lock("node-1"):
            self.assertEqual(["node-1"], self.holders())
        self.assertEqual([], self.holders())

    def test_the_lock_is_released_even_if_its_table_was_dropped(self):
        with self.lock("node-1"):
            self.conn.execute(sa.text(f"DROP TABLE {galera.LOCK_TABLE}"))

    def test_a_row_that_a_dead_process_of_this_node_left_does_not_block(self):
        with self.lock("node-1"), self.lock("node-1"):
            self.assertEqual(["node-1"], self.holders())

    def test_a_row_that_a_dead_node_left_blocks_only_until_its_time_is_over(self):
        with self.lock("node-2"):
            self.conn.execute(sa.update(HOLDERS).values(until="2001-01-01"))
            self.conn.commit()
            with self.lock("node-1"):
                self.assertEqual(["node-1"], self.holders())
