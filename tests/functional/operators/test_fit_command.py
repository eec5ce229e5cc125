"""placement-manage fit: what it prints, and its exit status."""

import json
import re

import testtools

from placement.cmd import manage
from tests import databases
from tests.commands import Commands
from tests.functional.worlds import mistyped, provider

QUERY = "resources=VCPU:2,MEMORY_MB:1024"


class Fit(Commands, testtools.TestCase):
    def setUp(self):
        super().setUp()
        fresh = self.useFixture(databases.FreshDatabase())
        self.use_database(fresh.url)
        self.database = fresh.database
        with self.database.writer() as conn:
            self.small = provider(conn, "small", {"VCPU": 8, "MEMORY_MB": 8192})
            self.large = provider(conn, "large", {"VCPU": 16, "MEMORY_MB": 8192})
            provider(conn, "child", parent=self.large)

    def run_fit(self, *arguments):
        return self.run_command(manage, "fit", *arguments)

    def test_fit_prints_a_table(self):
        exit_status, output, errors = self.run_fit(QUERY)
        self.assertEqual((0, ""), (exit_status, errors))
        self.assertEqual(
            [
                "It fits 12 times, on 2 hosts.",
                "",
                f"  Host   Fit  {' ' * 40}  Stopped by",
                f"  large    8  {'█' * 40}  not enough VCPU",
                f"  small    4  {'█' * 20}{' ' * 20}  not enough VCPU",
                "",
                "How often it fits, and on how many hosts:",
                f"  4  1  {'█' * 40}",
                f"  8  1  {'█' * 40}",
                "",
                "What stops it, and on how many hosts:",
                f"  not enough VCPU  2  {'█' * 40}",
                "",
                "Left over on hosts that lack nothing but room:",
                "  VCPU           0",
                "  MEMORY_MB  4,096",
            ],
            output.splitlines(),
        )

    def test_many_different_counts_are_printed_as_ten_ranges(self):
        with self.database.writer() as conn:
            for number in range(1, 21):
                provider(conn, f"gpu-{number}", {"PGPU": number})
        _, output, _ = self.run_fit("PGPU:1")
        ranges = re.findall(r"^ +(\d+-\d+) +(\d+) ", output, re.MULTILINE)
        self.assertEqual([(f"{n}-{n + 1}", "2") for n in range(1, 21, 2)], ranges)

    def test_fit_prints_names_of_hosts(self):
        _, by_uuid, _ = self.run_fit(QUERY, "--exclude", self.large.uuid)
        _, by_name, _ = self.run_fit(QUERY, "--exclude", "large")
        self.assertEqual(by_uuid, by_name)
        _, more, _ = self.run_fit(QUERY, "--add", "small:1")
        self.assertIn("  small +1", more)

    def test_fit_prints_the_what_if_as_json_for_programs(self):
        exit_status, output, _ = self.run_fit(
            f"http://placement/allocation_candidates?{QUERY}",
            *("--exclude", self.large.uuid, "--ratio", "VCPU:2.0"),
            *("--add", f"{self.small.uuid}:1", "--bound", "10", "--json"),
        )
        document = json.loads(output)
        self.assertEqual((0, 1, 10), (exit_status, document["format"], document["fit"]))
        self.assertEqual(
            [
                {"uuid": self.small.uuid, "name": "small", "fit": 8, "stopped_by": "VCPU"},
                {"uuid": None, "name": "small +1", "fit": 2, "stopped_by": None},
            ],
            document["hosts"],
        )

    def test_fit_prints_how_many_hosts_top_leaves_out_and_groups_equal_counts(self):
        exit_status, output, _ = self.run_fit("resources=VCPU:1", "--top", "1")
        self.assertIn("and 1 more (--top)", output)
        self.assertEqual(1, len(json.loads(self.run_fit(QUERY, "--top=1", "--json")[1])["hosts"]))
        _, output, _ = self.run_fit(QUERY, "--top", "0")
        self.assertIn("on 2 hosts.\n\nHow often", output)
        hosts = [f"--add={self.small.uuid}:2", *(f"--ratio=VCPU:{n}" for n in (3,))]
        self.assertIn("  24  3 ", self.run_fit("resources=VCPU:1", *hosts)[1])

    def test_fit_says_that_nothing_fits(self):
        exit_status, output, _ = self.run_fit("resources=DISK_GB:1")
        self.assertEqual(1, exit_status)
        self.assertIn("It does not fit anywhere.", output)
        self.assertIn("  not enough DISK_GB  2 ", output)

    def test_fit_corrects_misspelt_names(self):
        for arguments, meant in (
            (["resources=VCPUS:1"], "No such resource class VCPUS. Did you mean VCPU or "),
            (["resources=VCPU:1&required=HW_CPU_X86_AVX_2"], "Did you mean HW_CPU_X86_AVX2"),
            ([QUERY, "--ratio", "VCPUS:2"], "Did you mean VCPU or "),
            ([QUERY, "--exclude", "smal"], "Did you mean small?"),
            ([QUERY, "--add", "child:1"], "Did you mean large?"),
        ):
            exit_status, _, errors = self.run_fit(*arguments)
            self.assertEqual(2, exit_status)
            self.assertIn(meant, errors)

    def test_fit_names_an_unknown_uuid_and_still_answers(self):
        other = mistyped(self.large.uuid)
        exit_status, output, _ = self.run_fit(f"{QUERY}&in_tree={other}")
        said = f"No provider is called {other}; did you mean {self.large.uuid}?\nIt does not fit"
        self.assertEqual((1, said), (exit_status, output[: len(said)]))
        _, rows, errors = self.run_fit(f"{QUERY}&in_tree={other}", "-f", "json")
        self.assertEqual(([], said.splitlines()[0]), (json.loads(rows), errors.strip()))

    def test_fit_reports_a_mistake_in_one_line(self):
        for arguments, complaint in (
            (["resources=VCPU:x"], "expected positive integer amount"),
            ([f"{QUERY}&limit=1"], "limit"),
            ([QUERY, "--exclude", "none"], "No root provider with uuid or name none found."),
            ([QUERY, "--bound", "0"], "bound"),
            ([QUERY, "--top", "100001"], "top"),
            (["resources=CUSTOM_X:1"], "CUSTOM_X"),
        ):
            exit_status, output, errors = self.run_fit(*arguments)
            self.assertEqual((2, ""), (exit_status, output))
            self.assertIn(complaint, errors)
            self.assertEqual(1, errors.count("\n"), errors)
