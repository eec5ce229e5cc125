"""Commands on an SQLite file of their own."""

import sqlite3

import fixtures as base_fixtures
import testtools

from tests.commands import Commands


class CommandTestCase(Commands, testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.directory = self.useFixture(base_fixtures.TempDir()).path

    def use_database(self, url=None):
        super().use_database(url or f"sqlite:///{self.directory}/p.db")

    def execute(self, statement, *parameters):
        """Return the rows that a statement selects from the database of `use_database`."""
        with sqlite3.connect(f"{self.directory}/p.db") as connection:
            rows = connection.execute(statement, parameters).fetchall()
        connection.close()
        return rows
