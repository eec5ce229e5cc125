"""placement-status."""

import json

from placement.cmd import manage, status
from tests.unit.cmd.base import CommandTestCase


class Status(CommandTestCase):
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
