"""Commands, run in this process without what this machine's environment says."""

import contextlib
import io
import os
import sqlite3

import fixtures as base_fixtures
import testtools


class CommandTestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        for name in list(os.environ):
            if name.startswith("OS_"):
                self.useFixture(base_fixtures.EnvironmentVariable(name))
        self.directory = self.useFixture(base_fixtures.TempDir()).path

    def use_database(self, url=None):
        url = url or f"sqlite:///{self.directory}/p.db"
        self.useFixture(
            base_fixtures.EnvironmentVariable("OS_PLACEMENT_DATABASE__CONNECTION", url)
        )

    def run_command(self, command, *arguments):
        """(exit status, standard output, standard error) of a command."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                exit_status = command.main(list(arguments))
            except SystemExit as end:
                exit_status = end.code
        return exit_status or 0, output.getvalue(), errors.getvalue()

    def execute(self, statement, *parameters):
        """The rows that a statement has from the database of `use_database`."""
        with sqlite3.connect(f"{self.directory}/p.db") as connection:
            rows = connection.execute(statement, parameters).fetchall()
        connection.close()
        return rows
