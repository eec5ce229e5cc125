"""The repair of rows that old releases wrote, and the output that deployment tools read."""

import sqlite3

from placement.cmd import manage, status
from tests.unit.cmd.base import CommandTestCase


class DataMigrations(CommandTestCase):
    def use_old_database(self, providers, consumers):
        """Use a database with this many providers without roots and consumers without records."""
        self.use_database()
        self.run_command(manage, "db", "sync")
        for number in range(providers):
            self.execute("INSERT INTO resource_providers (uuid) VALUES (?)", f"p{number}")
        for number in range(consumers):
            self.execute(
                "INSERT INTO allocations (resource_provider_id, resource_class_id, used, "
                "consumer_id) VALUES (1, 0, 1, ?)",
                f"c{number}",
            )

    def migrate_online(self, *arguments):
        exit_status, output, _ = self.run_command(
            manage, "db", "online_data_migrations", *arguments
        )
        return exit_status, output.splitlines()

    def test_all_rows_of_old_releases_are_repaired(self):
        self.use_old_database(providers=60, consumers=3)
        self.assertEqual(
            (
                0,
                [
                    "Running batches of 50 until complete",
                    "50 rows matched query set_root_provider_ids, 50 migrated",
                    "10 rows matched query set_root_provider_ids, 10 migrated",
                    "3 rows matched query create_incomplete_consumers, 3 migrated",
                    "+-----------------------------+-------------+-----------+",
                    "|          Migration          | Total Found | Completed |",
                    "+-----------------------------+-------------+-----------+",
                    "|    set_root_provider_ids    |      60     |     60    |",
                    "| create_incomplete_consumers |      3      |     3     |",
                    "+-----------------------------+-------------+-----------+",
                ],
            ),
            self.migrate_online(),
        )
        self.assertEqual(0, self.run_command(status, "upgrade", "check")[0])

    def test_a_limited_repair_says_whether_to_call_again(self):
        self.use_old_database(providers=3, consumers=3)
        exit_status, output = self.migrate_online("--max-count", "2")
        self.assertEqual(1, exit_status)
        # Repairs that were not reached are not in the table.
        self.assertNotIn("create_incomplete_consumers", "".join(output))
        exit_status, output = self.migrate_online("--max-count", "2")
        self.assertEqual(1, exit_status)
        self.assertIn("1 rows matched query create_incomplete_consumers, 1 migrated", output)
        self.assertEqual(1, self.migrate_online("--max-count", "2")[0])
        exit_status, output = self.migrate_online("--max-count", "2")
        self.assertEqual(0, exit_status)
        self.assertIn("|    set_root_provider_ids    |      0      |     0     |", output)

    def test_a_failed_repair_is_reported_and_does_not_stop_the_others(self):
        self.use_old_database(providers=1, consumers=1)
        self.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON resource_providers "
            "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
        for exit_status, rows in ((1, 1), (2, 0)):
            ended, output, errors = self.run_command(
                manage, "db", "online_data_migrations", "--max-count", "5"
            )
            self.assertEqual(exit_status, ended)
            self.assertIn("Error attempting to run set_root_provider_ids", output)
            self.assertIn(f"| create_incomplete_consumers |      {rows} ", output)
            self.assertIn("the disk is full", errors)
        self.assertEqual(2, self.migrate_online()[0])

    def test_a_database_without_tables_has_an_exit_status_that_ends_the_calls(self):
        self.use_database()
        path = f"{self.directory}/p.db"
        sqlite3.connect(path).close()
        output = (
            f"placement-manage: The database {path} has no tables of Placement: run "
            "'placement-manage db sync'.\n"
        )
        self.assertEqual(
            (2, "", output),
            self.run_command(manage, "db", "online_data_migrations", "--max-count", "5"),
        )

    def test_a_limit_of_rows_below_one_is_refused(self):
        self.use_database()
        said = "placement-manage: --max-count must be a positive integer\n"
        for number in ("0", "-1", "x", "1.5", "²", ""):
            ended = self.run_command(
                manage, "db", "online_data_migrations", f"--max-count={number}"
            )
            self.assertEqual((127, "", said), ended, number)
