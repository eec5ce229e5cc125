"""The commands of operators. Source: contract, "Commands"."""

import contextlib
import io
import json
import os

import fixtures as base_fixtures
import testtools

from placement.cmd import manage, status


class Commands(testtools.TestCase):
    def setUp(self):
        super().setUp()
        for name in list(os.environ):
            if name.startswith("OS_"):
                self.useFixture(base_fixtures.EnvironmentVariable(name))
        self.directory = self.useFixture(base_fixtures.TempDir()).path

    def use_database(self):
        self.useFixture(
            base_fixtures.EnvironmentVariable(
                "OS_PLACEMENT_DATABASE__CONNECTION", f"sqlite:///{self.directory}/p.db"
            )
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

    def test_a_database_is_migrated_and_tells_its_revision(self):
        self.use_database()
        self.assertEqual((0, "None\n", ""), self.run_command(manage, "db", "version"))
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "sync"))
        exit_status, revision, _ = self.run_command(manage, "db", "version")
        self.assertEqual(0, exit_status)
        self.assertNotEqual("None\n", revision)
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "sync"))

    def test_help_and_version_need_no_database(self):
        exit_status, output, _ = self.run_command(manage)
        self.assertEqual(1, exit_status)
        self.assertIn("usage: placement-manage", output)
        exit_status, output, _ = self.run_command(manage, "--help")
        self.assertEqual(0, exit_status)
        self.assertIn("usage: placement-manage", output)
        exit_status, output, _ = self.run_command(manage, "--version")
        self.assertEqual(0, exit_status)
        self.assertRegex(output, r"^\d+\.\d+\.\d+\S*\n$")

    def test_a_category_shows_its_commands(self):
        self.use_database()
        exit_status, output, _ = self.run_command(manage, "db")
        self.assertEqual(0, exit_status)
        self.assertIn("sync", output)

    def test_an_unknown_command_is_a_usage_error(self):
        self.use_database()
        self.assertEqual(2, self.run_command(manage, "db", "drop")[0])

    def test_without_a_database_nothing_is_done(self):
        exit_status, _, errors = self.run_command(manage, "db", "sync")
        self.assertEqual(1, exit_status)
        self.assertIn("connection", errors)

    def test_the_api_is_described_without_a_database(self):
        exit_status, output, _ = self.run_command(manage, "openapi")
        self.assertEqual(0, exit_status)
        self.assertEqual("1.39", json.loads(output)["info"]["version"])

    def test_older_versions_of_the_api_are_described_too(self):
        _, output, _ = self.run_command(manage, "openapi", "--microversion", "1.8")
        document = json.loads(output)
        self.assertEqual("1.8", document["info"]["version"])
        self.assertNotIn("/usages", document["paths"])

    def test_a_version_that_does_not_exist_is_a_usage_error(self):
        self.assertEqual(2, self.run_command(manage, "openapi", "--microversion", "1.40")[0])

    def test_a_new_database_is_ready_for_upgrade(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        exit_status, output, _ = self.run_command(status, "upgrade", "check")
        self.assertEqual(0, exit_status)
        self.assertEqual(3, output.count("Result: Success"))

    def test_the_checks_come_as_json_too(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        exit_status, output, _ = self.run_command(status, "upgrade", "check", "--json")
        self.assertEqual(0, exit_status)
        self.assertEqual(
            [
                "Missing Root Provider IDs",
                "Incomplete Consumers",
                "Policy File JSON to YAML Migration",
            ],
            [check["check"] for check in json.loads(output)["checks"]],
        )

    def test_a_database_without_tables_cannot_be_checked(self):
        self.use_database()
        self.assertEqual(255, self.run_command(status, "upgrade", "check")[0])
