"""The options -f, -c and --sort-column of each command that prints a table."""

import csv
import io
import json
import pathlib

import fixtures
import testtools
import yaml

from placement.cmd import manage
from tests import databases
from tests.commands import Commands
from tests.functional.worlds import claim, provider, set_traits, take

CONSUMER = "bbbbbbbb-0000-4000-8000-000000000001"
OTHER = "bbbbbbbb-0000-4000-8000-000000000002"
# Each command that prints a table, and its first column.
COMMANDS = (
    (["explain", "VCPU:4"], "Constraint"),
    (["fit", "VCPU:1"], "Host"),
    (["capacity"], "Group"),
    (["capacity", "--by", "trait"], "Group"),
    (["providers"], "UUID"),
    (["audit"], "Check"),
    (["db", "online_data_migrations"], "Migration"),
)


class Listing(Commands, testtools.TestCase):
    def setUp(self):
        super().setUp()
        fresh = self.useFixture(databases.FreshDatabase())
        self.use_database(fresh.url)
        self.directory = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        with fresh.database.writer() as conn:
            self.small = provider(conn, "small", {"VCPU": 8, "DISK_GB": 100})
            set_traits(conn, self.small, ["HW_CPU_X86_AVX"])
            provider(conn, "large", {"VCPU": 16})
            provider(conn, "empty")
        held = {self.small: {"VCPU": 6, "DISK_GB": 10}}
        take(fresh.database, claim(held, consumer_uuid=CONSUMER))

    def shown(self, *arguments):
        exit_status, output, errors = self.run_command(manage, *arguments)
        self.assertIn(exit_status, (0, 1), errors)
        return output

    def test_every_table_has_the_same_columns_in_each_format(self):
        for command, first in COMMANDS:
            rows = json.loads(self.shown(*command, "-f", "json"))
            self.assertEqual(rows, yaml.safe_load(self.shown(*command, "-f", "yaml")))
            of_csv = list(csv.DictReader(io.StringIO(self.shown(*command, "-f", "csv"))))
            self.assertEqual(len(rows), len(of_csv))
            values = self.shown(*command, "-f", "value", "-c", first.lower()).splitlines()
            self.assertEqual([str(row[first]) for row in rows], values)
            for row in rows:
                self.assertEqual((first, list(of_csv[0])), (list(row)[0], list(row)))
            table = self.shown(*command, "-f", "table").splitlines()
            self.assertRegex(table[1], rf"\A\| {first} ")

    def test_rows_are_sorted_by_any_column(self):
        by_capacity = ("providers", "-f", "value", "-c", "Provider", "-c", "capacity")
        self.assertEqual(
            ["small 8", "large 16", "small 100", "empty None"],
            self.shown(*by_capacity, "--sort-column", "capacity").splitlines(),
        )
        self.assertEqual(
            ["empty None", "large 16", "small 100", "small 8"],
            self.shown(
                *by_capacity, "--sort-column", "provider", "--sort-column", "Class"
            ).splitlines(),
        )
        self.assertEqual(
            ["small 100", "large 16", "small 8"],
            self.shown(
                *(*by_capacity, "resources=VCPU:1"),
                *("--sort-column", "capacity", "--sort-descending"),
            ).splitlines(),
        )

    def test_a_column_without_a_format_prints_a_table(self):
        self.assertEqual(
            ["+---------+", "| Class   |", "+---------+", "| VCPU    |", "| DISK_GB |"],
            self.shown("capacity", "-c", "class").splitlines()[:5],
        )

    def test_orphans_can_be_printed_as_rows(self):
        known = self.directory / "known"
        known.write_text(f"{OTHER}\n")
        command = ("audit", "--consumers", str(known), "--older-than", "0s")
        [row] = json.loads(self.shown(*command, "-f", "json"))
        self.assertEqual((CONSUMER, "small"), (row["Consumer"], row["Host"]))
        self.assertEqual({"VCPU:6", "DISK_GB:10"}, set(row["Resources"].split()))

    def test_only_rows_are_on_standard_output(self):
        for command, said in (
            (["db", "online_data_migrations"], "Running batches of 50 until complete\n"),
            (["audit", "--repair", "used_is_sum"], "used_is_sum: 0 repaired\n"),
        ):
            _, output, errors = self.run_command(manage, *command, "-f", "json")
            self.assertEqual(said, errors)
            json.loads(output)

    def test_a_column_that_does_not_exist_is_refused(self):
        for command, _ in COMMANDS:
            for option in ("-c", "--sort-column"):
                exit_status, output, errors = self.run_command(manage, *command, option, "colour")
                self.assertEqual((2, ""), (exit_status, output))
                self.assertIn("there is no column 'colour'", errors)
        exit_status, output, errors = self.run_command(manage, "audit", "-c", "Consumer")
        self.assertEqual((2, ""), (exit_status, output))
        self.assertIn("Without --consumers, there is no column 'Consumer'; the columns", errors)
        self.assertIn(" are Check, Found", errors)

    def test_a_column_of_the_checks_is_refused_for_orphans(self):
        path = self.directory / "consumers"
        path.write_text(CONSUMER)
        exit_status, output, errors = self.run_command(
            manage, "audit", "--consumers", str(path), "-c", "check"
        )
        self.assertEqual((2, ""), (exit_status, output))
        self.assertIn("With --consumers, there is no column 'Check'; the columns are", errors)

    def test_the_document_and_rows_are_not_printed_together(self):
        exit_status, _, errors = self.run_command(manage, "audit", "--json", "-f", "json")
        self.assertEqual(2, exit_status)
        self.assertIn("not allowed with argument", errors)
