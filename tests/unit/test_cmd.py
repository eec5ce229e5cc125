"""The commands of operators. Source: contract, "Commands"."""

import contextlib
import io
import json
import os

import fixtures as base_fixtures
import testtools

from placement.cmd import manage, status
from placement.db import engine


class Commands(testtools.TestCase):
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

    def test_a_database_is_migrated_and_tells_its_revision(self):
        self.use_database()
        self.assertEqual((0, "None\n", ""), self.run_command(manage, "db", "version"))
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "sync"))
        exit_status, revision, _ = self.run_command(manage, "db", "version")
        self.assertEqual(0, exit_status)
        self.assertNotEqual("None\n", revision)
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "sync"))

    def test_tables_of_others_are_told_from_a_breakdown(self):
        self.use_database()
        database = engine.connect(f"sqlite:///{self.directory}/p.db")
        self.addCleanup(database.engine.dispose)
        with database.writer() as conn:
            conn.exec_driver_sql("CREATE TABLE resource_providers (id INTEGER)")
        exit_status, _, errors = self.run_command(manage, "db", "sync")
        self.assertEqual(1, exit_status)
        self.assertRegex(errors, r"^placement-manage: This database has tables .*\n$")

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

    def assert_mistake(self, told, *options):
        """What both commands tell of a mistake is one line, of which `told` is a part."""
        for program, command, exit_status, *arguments in (
            ("placement-manage", manage, 1, "db", "sync"),
            ("placement-manage", manage, 1, "db", "version"),
            ("placement-status", status, 255, "upgrade", "check"),
        ):
            ended, output, errors = self.run_command(command, *options, *arguments)
            self.assertEqual((exit_status, ""), (ended, output))
            self.assertRegex(errors, rf"\A{program}: .*{told}.*\n\Z")
            self.assertNotIn("secret", errors)

    def test_without_a_database_nothing_is_done(self):
        self.assert_mistake("value required for option connection")

    def test_a_file_that_is_not_there_is_named(self):
        self.use_database()
        self.assert_mistake("/nonexistent", "--config-file", "/nonexistent")

    def test_a_file_that_cannot_be_read_is_named(self):
        self.use_database()
        path = os.path.join(self.directory, "placement.conf")
        with open(path, "w") as file:
            file.write("[placement_database\n")
        self.assert_mistake(path, "--config-file", path)

    def test_a_database_that_cannot_be_used_is_told_without_its_password(self):
        for url, told in (
            ("nonsense", "Could not parse SQLAlchemy URL"),
            ("nonsense+driver://user:secret@host/name", "Can't load plugin"),
            ("mysql+nonsense://user:secret@host/name", "Can't load plugin"),
            ("mysql+pymysql://user:a@b:secret@host/name", "is not a URL"),
            ("mysql+pymysql://user:a@secret@host/name", "%40 for @"),
            (f"sqlite:///{self.directory}/nonexistent/p.db", "unable to open database file"),
        ):
            self.use_database(url)
            self.assert_mistake(told)

    def test_a_server_that_does_not_answer_is_told(self):
        self.useFixture(
            base_fixtures.EnvironmentVariable("OS_PLACEMENT_DATABASE__MAX_RETRIES", "0")
        )
        self.use_database("mysql+pymysql://user:secret@127.0.0.1:1/name")
        self.assert_mistake("Can't connect to MySQL server on '127.0.0.1'")

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
