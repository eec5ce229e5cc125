"""placement-status."""

import json
import pathlib
import sqlite3

import fixtures

from placement.cmd import manage, status
from tests.unit.cmd.base import CommandTestCase


class Status(CommandTestCase):
    def test_a_new_database_is_ready_for_upgrade(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        exit_status, output, _ = self.run_command(status, "upgrade", "check")
        self.assertEqual(0, exit_status)
        self.assertEqual(5, output.count("Result: Success"))

    def test_wrong_sums_fail_the_check_until_they_are_recounted(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        self.execute(
            "INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved,"
            " min_unit, max_unit, step_size, allocation_ratio) VALUES (1, 0, 8, 0, 1, 8, 1, 1.0)"
        )
        self.execute("UPDATE inventories SET used = 5")
        exit_status, output, _ = self.run_command(status, "upgrade", "check")
        self.assertEqual(2, exit_status)
        self.assertIn("Inventories with a wrong capacity or used amount: 1", output)
        self.run_command(manage, "db", "sync")
        self.assertEqual(0, self.run_command(status, "upgrade", "check")[0])

    def test_a_policy_that_the_service_would_not_start_with_fails_the_check(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        policy = pathlib.Path(self.directory) / "policy.yaml"
        policy.write_bytes(b'# a\n"b": "\xe9"\n')
        for path, fault in (
            (policy, "is not text in utf-8: invalid continuation byte in line 2."),
            (self.directory, "cannot be read: Is a directory."),
        ):
            self.useFixture(
                fixtures.EnvironmentVariable("OS_OSLO_POLICY__POLICY_FILE", str(path))
            )
            exit_status, output, _ = self.run_command(status, "upgrade", "check", "--json")
            self.assertEqual(2, exit_status)
            self.assertEqual(f"{path} {fault}", json.loads(output)["checks"][3]["details"])

    def test_upgrade_checks_are_printed_as_json_for_programs(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        exit_status, output, _ = self.run_command(status, "upgrade", "check", "--json")
        self.assertEqual(0, exit_status)
        self.assertEqual(
            [
                "Missing Root Provider IDs",
                "Incomplete Consumers",
                "Capacity And Use Of Inventories",
                "Policy File JSON to YAML Migration",
                "Database Revision",
            ],
            [check["check"] for check in json.loads(output)["checks"]],
        )

    def test_a_mistyped_command_or_option_is_a_usage_error(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        for words, meant in (
            (["upgrade", "chek"], "command 'upgrade chek'. Did you mean 'upgrade check'?"),
            (["upgrade", "--json", "chk"], "command 'upgrade chk'. Did you mean 'upgrade check'?"),
            (["upgade", "check"], "command 'upgade'. Did you mean 'upgrade check'?"),
            (["--debgu", "upgrade", "check"], "option '--debgu'. Did you mean '--debug'?"),
        ):
            exit_status, output, errors = self.run_command(status, *words)
            self.assertEqual((2, ""), (exit_status, output))
            self.assertEqual(f"placement-status: There is no {meant}\n", errors)
        exit_status, _, errors = self.run_command(status, "upgrade", "check", "--jsn")
        said = "placement-status: 'upgrade check' has no option '--jsn'. Did you mean '--json'?\n"
        self.assertEqual((2, said), (exit_status, errors))
        self.assertEqual(0, self.run_command(status, "upgrade", "--json", "check")[0])

    def test_the_help_shows_what_the_command_does_and_its_own_options(self):
        for words in ("--help", "upgrade check -h", "--debug upgrade check --help"):
            exit_status, output, errors = self.run_command(status, *words.split())
            self.assertEqual((0, ""), (exit_status, errors))
            self.assertIn("Check whether this deployment is ready", output)
            # That is an option of oslo.log, which few will need here.
            self.assertNotIn("--use-syslog", output)

    def test_a_database_without_tables_cannot_be_checked(self):
        self.use_database()
        path = f"{self.directory}/p.db"
        sqlite3.connect(path).close()
        output = (
            f"placement-status: The database {path} has no tables of Placement: run "
            "'placement-manage db sync'.\n"
        )
        self.assertEqual((255, "", output), self.run_command(status, "upgrade", "check"))

    def test_a_database_that_was_not_adopted_fails_the_check(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        self.execute("DELETE FROM placement_schema_version")
        exit_status, output, _ = self.run_command(status, "upgrade", "check", "--json")
        self.assertEqual(2, exit_status)
        result = json.loads(output)["checks"][-1]
        self.assertEqual(("Database Revision", 2), (result["check"], result["result"]))
        self.assertIn("run 'placement-manage db sync'", result["details"])

    def test_a_database_that_cannot_be_adopted_fails_the_check_for_the_same_reason(self):
        self.use_database()
        self.run_command(manage, "db", "sync")
        self.execute("DELETE FROM placement_schema_version")
        self.execute("UPDATE alembic_version SET version_num = 'cafe00000001'")
        exit_status, output, _ = self.run_command(status, "upgrade", "check", "--json")
        self.assertEqual(2, exit_status)
        reason = json.loads(output)["checks"][-1]["details"]
        self.assertEqual(
            (1, "", f"placement-manage: {reason}\n"), self.run_command(manage, "db", "sync")
        )
