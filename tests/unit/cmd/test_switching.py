"""placement-manage db share, unshare and release, on SQLite.

The other databases are in tests/functional/schema/test_derived_sums.py.
"""

from placement.cmd import manage
from placement.db import tables
from tests.unit.cmd.base import CommandTestCase


class Switching(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.use_database()
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "sync"))

    def test_db_share_refuses_an_sqlite_file(self):
        exit_status, output, errors = self.run_command(manage, "db", "share")
        self.assertEqual((1, ""), (exit_status, output))
        self.assertRegex(errors, r"\Aplacement-manage: SQLite .*\n\Z")

    def test_a_refused_release_says_why_and_not_that_anything_was_removed(self):
        self.assertEqual(0, self.run_command(manage, "db", "stamp", "head")[0])
        self.execute("UPDATE alembic_version SET version_num = 'cafe00000001'")
        exit_status, output, errors = self.run_command(manage, "db", "release")
        self.assertEqual(1, exit_status)
        self.assertNotIn("Removed", output)
        self.assertRegex(errors, r"\Aplacement-manage: .*cafe00000001.*\n\Z")

    def test_a_database_is_released_and_adopted_again(self):
        columns = len(tables.our_columns())
        removed = f"\nRemoved: 31 triggers, {columns} columns, 1 index, 5 tables. "
        for said in (removed, "has added nothing"):
            exit_status, output, errors = self.run_command(manage, "db", "release")
            self.assertEqual((0, ""), (exit_status, errors))
            self.assertIn(said, output)
            is_warned = output.startswith("SQLite does not show whether a server uses the file")
            self.assertEqual(said == removed, is_warned)
        self.assertEqual(1, self.run_command(manage, "db", "unshare")[0])
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "sync"))
        for _ in range(2):
            self.assertEqual(
                (0, "The sums are correct.\n", ""), self.run_command(manage, "db", "unshare")
            )
