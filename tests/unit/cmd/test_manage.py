"""placement-manage."""

import json
import re
import sqlite3
from unittest import mock

from placement import microversion
from placement.cmd import command_line, manage
from placement.db import engine
from placement.db.faults import outages
from tests.unit.cmd.base import CommandTestCase


class Manage(CommandTestCase):
    def test_a_database_is_migrated_and_its_revision_is_printed(self):
        self.use_database()
        for _ in range(2):
            # A command that only looks does not create the file.
            exit_status, _, errors = self.run_command(manage, "db", "version")
            self.assertEqual(1, exit_status)
            self.assertIn("p.db; if the database is new, run 'placement-manage db sync'", errors)
        sqlite3.connect(f"{self.directory}/p.db").close()
        self.assertEqual((0, "None\n", ""), self.run_command(manage, "db", "version"))
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "sync"))
        exit_status, revision, _ = self.run_command(manage, "db", "version")
        self.assertEqual(0, exit_status)
        self.assertNotEqual("None\n", revision)
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "sync"))

    def test_db_sync_refuses_foreign_tables_with_a_message(self):
        self.use_database()
        database = engine.connect(f"sqlite:///{self.directory}/p.db")
        self.addCleanup(database.engine.dispose)
        with database.writer() as conn:
            conn.exec_driver_sql("CREATE TABLE resource_providers (id INTEGER)")
        exit_status, _, errors = self.run_command(manage, "db", "sync")
        self.assertEqual(1, exit_status)
        self.assertRegex(errors, r"^placement-manage: The table .*\n$")

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

    def test_the_help_names_every_command_and_no_logging_options(self):
        _, output, _ = self.run_command(manage, "--help")
        for option in ("--config-file PATH", "--config-dir PATH", "--version", "--help-all"):
            self.assertRegex(output, rf"\n +{option} +[a-z]")
        self.assertNotIn("--use-journal", output)
        self.assertLess(output.count("\n"), 40)
        for command in (
            *("db", "audit", "explain", "fit", "evacuate", "capacity", "providers", "openapi"),
        ):
            self.assertRegex(output, rf"\n +{command} +[A-Z]")
        self.assertEqual(output, self.run_command(manage, "--config-file", "/none", "-h")[1])
        exit_status, everything, _ = self.run_command(manage, "--help-all")
        self.assertEqual(0, exit_status)
        self.assertIn("--use-journal", everything)
        _, of_command, _ = self.run_command(manage, "fit", "--help")
        self.assertIn("--exclude HOST", of_command)

    def test_a_database_that_goes_away_is_reported_in_one_line(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        lost = outages.Lost("(2013) Lost connection\n[SQL: SELECT 1]")
        with mock.patch("placement.objects.capacity_report.measure", side_effect=lost):
            exit_status, output, errors = self.run_command(manage, "capacity")
        self.assertEqual((2, ""), (exit_status, output))
        said = "placement-manage: The database cannot be reached. (2013) Lost connection\n"
        self.assertEqual(said, errors)

    def test_a_category_shows_its_commands(self):
        """No configuration is needed. The status says that nothing was done."""
        exit_status, output, errors = self.run_command(manage, "db")
        self.assertEqual((1, ""), (exit_status, errors))
        self.assertIn("sync", output)

    def test_the_help_of_a_command_says_what_it_does(self):
        for words, summary in (
            (["audit"], "Check whether the ledger is right."),
            (["db"], "Create, migrate, share or release the tables."),
            (["db", "sync"], "Upgrade the database to the newest revision."),
        ):
            exit_status, output, _ = self.run_command(manage, *words, "--help")
            self.assertEqual(0, exit_status)
            self.assertIn(f"\n\n{summary}\n\n", output)

    def test_reports_can_be_made_before_the_service_has_ever_started(self):
        """If it fails, an operator reads that there is no class VCPU."""
        self.use_database()
        self.run_command(manage, "db", "sync")
        exit_status, output, errors = self.run_command(manage, "explain", "VCPU:4")
        self.assertEqual((1, ""), (exit_status, errors))
        self.assertIn("There are no hosts.", output)
        self.assertNotIn("No resource class", output)
        self.assertEqual(0, self.run_command(manage, "survive")[0])

    def test_an_unknown_command_or_option_is_a_usage_error(self):
        self.use_database()
        for words, meant in (
            (["capasity"], "'capasity'. Did you mean 'capacity'?"),
            (["-", "capasity"], "'capasity'. Did you mean 'capacity'?"),
            (["--config-file", "capacity", "sync"], "'sync'. Did you mean 'db sync'?"),
            (["--debug", "db", "snyc", "--help"], "'db snyc'. Did you mean 'db sync'?"),
            (["db", "drop"], "'db drop'; 'placement-manage --help' lists them."),
        ):
            exit_status, output, errors = self.run_command(manage, *words)
            self.assertEqual((2, ""), (exit_status, output))
            self.assertEqual(f"placement-manage: There is no command {meant}\n", errors)
        for words, meant in (
            (["capacity", "--bye", "x"], "'capacity' has no option '--bye'. Did you mean '--by'?"),
            (["db", "sync", "--force"], "'db sync' has no option '--force'; '--help' lists them."),
            (
                ["status", "--config-file=a"],
                "'status' has no option '--config-file'; it belongs before the command.",
            ),
            (
                ["db", "version", "-f", "json"],
                "'db version' does not take '-f'; '--help' shows what it takes.",
            ),
            (
                ["capacity", "all"],
                "'capacity' does not take 'all'; '--help' shows what it takes.",
            ),
        ):
            exit_status, output, errors = self.run_command(manage, *words)
            self.assertEqual((2, ""), (exit_status, output))
            self.assertEqual(f"placement-manage: {meant}\n", errors)
        for words, meant in (
            (["--verison"], "'--verison'. Did you mean '--version'?"),
            (["--config-flie=x", "db", "sync"], "'--config-flie'. Did you mean '--config-file'?"),
            (["--config-file", "--x", "--debg", "status"], "'--debg'. Did you mean '--debug'?"),
            (["--verison", "--debg", "status"], "'--verison'. Did you mean '--version'?"),
            (["--json", "capacity"], "'--json'; it belongs after the command."),
            (["--debug", "--debg", "status"], "'--debg'. Did you mean '--debug'?"),
            (["--", "db", "sync"], "'--'; '--help' lists them."),
        ):
            exit_status, output, errors = self.run_command(manage, *words)
            self.assertEqual((2, ""), (exit_status, output))
            self.assertEqual(f"placement-manage: There is no option {meant}\n", errors)
        for option in ("--debug", "--config-file", "-"):
            exit_status, _, errors = self.run_command(manage, option)
            self.assertEqual(2, exit_status)
            self.assertRegex(errors, r"\Aplacement-manage: A command is missing; .*\n\Z")

    def test_a_word_after_two_dashes_is_not_an_option(self):
        """If it fails, nobody finds a host whose name begins with a dash."""
        self.use_database()
        self.run_command(manage, "db", "sync")
        found = self.run_command(manage, "find", "--", "--host")
        self.assertEqual((1, "Nothing was found.\n", ""), found)

    def test_a_refusal_of_an_unknown_column_lists_the_known_ones(self):
        self.use_database()
        exit_status, _, errors = self.run_command(manage, "find", "-c", "Foo", "host")
        self.assertEqual(2, exit_status)
        self.assertRegex(
            errors, r"\nplacement-manage find: error: .* no column 'Foo'; the columns are .*, Name"
        )

    def test_every_option_that_takes_a_value_is_recognised(self):
        """If it fails, the value of an option is taken for a command."""
        _, everything, _ = self.run_command(manage, "--help-all")
        shown = set(re.findall(r"(--[a-z_-]+) [A-Z]", everything))
        self.assertEqual(shown, shown.intersection(command_line.TAKING_A_VALUE))
        self.assertIn("--config-file", shown)

    def test_every_option_before_a_command_is_known(self):
        """If it fails, an option that would be accepted is reported as unknown."""
        _, everything, _ = self.run_command(manage, "--help-all")
        options, _, _ = everything.partition("\ncommands:")
        for option in sorted(set(re.findall(r"--[a-z_-]+\b", options))):
            _, _, errors = self.run_command(manage, option, "no-command")
            self.assertNotIn("There is no option", errors, option)

    def test_the_api_is_described_without_a_database(self):
        exit_status, output, _ = self.run_command(manage, "openapi")
        self.assertEqual(0, exit_status)
        self.assertEqual(microversion.VERSIONS[-1], json.loads(output)["info"]["version"])

    def test_older_versions_of_the_api_are_described_too(self):
        _, output, _ = self.run_command(manage, "openapi", "--microversion", "1.8")
        document = json.loads(output)
        self.assertEqual("1.8", document["info"]["version"])
        self.assertNotIn("/usages", document["paths"])

    def test_a_version_that_does_not_exist_is_a_usage_error(self):
        self.assertEqual(2, self.run_command(manage, "openapi", "--microversion", "1.999")[0])

    def test_a_stamp_prints_nothing_unless_its_revision_is_wrong(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        _, ours, _ = self.run_command(manage, "db", "version")
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "stamp", "base"))
        self.assertEqual((0, "", ""), self.run_command(manage, "db", "stamp", "head"))
        self.assertEqual(
            [("a082b8bb98d0",)], self.execute("SELECT version_num FROM alembic_version")
        )
        self.assertEqual((0, ours, ""), self.run_command(manage, "db", "version"))
        exit_status, output, errors = self.run_command(manage, "db", "stamp", "0002")
        self.assertEqual((1, ""), (exit_status, output))
        self.assertRegex(errors, r"\Aplacement-manage: There is no revision '0002'.*\n\Z")
        errors = self.run_command(manage, "db", "stamp", "b")[2]
        self.assertIn("no revision 'b', or several begin with it: use b4ed3a175331, ", errors)
        self.assertEqual(2, self.run_command(manage, "db", "stamp")[0])
