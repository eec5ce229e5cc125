"""placement-manage evacuate: what it prints, and its exit status."""

import json
import uuid

import testtools

from placement.cmd import manage
from tests import databases
from tests.commands import Commands
from tests.functional.worlds import claim, provider, set_aggregates, take


class Evacuate(Commands, testtools.TestCase):
    def setUp(self):
        super().setUp()
        fresh = self.useFixture(databases.FreshDatabase())
        self.use_database(fresh.url)
        with fresh.database.writer() as conn:
            self.old = provider(conn, "old", {"VCPU": 8})
            set_aggregates(conn, self.old, [str(uuid.uuid4())])
            self.new = provider(conn, "new", {"VCPU": 4})
        self.small = claim({self.old: {"VCPU": 1}})
        self.large = claim({self.old: {"VCPU": 3}})
        take(fresh.database, self.small, self.large)

    def run_evacuate(self, *arguments):
        return self.run_command(manage, "evacuate", *arguments)

    def test_evacuate_prints_where_each_consumer_would_go(self):
        exit_status, output, errors = self.run_evacuate("--dry-run", "old")
        self.assertEqual((0, ""), (exit_status, errors))
        self.assertEqual(
            [
                "All 2 consumers can move elsewhere, at the same time.",
                "",
                f"  Consumer{' ' * 28}  Project  To",
                f"  {self.large.consumer_uuid}  project  new",
                f"  {self.small.consumer_uuid}  project  new",
            ],
            output.splitlines()[:5],
        )
        self.assertIn("Placement only knows what consumers hold", output)

    def test_evacuate_says_why_there_is_no_place(self):
        exit_status, output, _ = self.run_evacuate("--dry-run", "new", "old")
        self.assertEqual(1, exit_status)
        self.assertIn("2 of 2 consumers find no place elsewhere; 0 can move.", output)
        self.assertIn(f"  {self.large.consumer_uuid}  project  no place\n", output)
        self.assertIn("\n0 of 0 other hosts.\n", output)

    def test_evacuate_prints_the_document_of_the_service(self):
        exit_status, output, _ = self.run_evacuate("--dry-run", self.old.uuid, "--json")
        document = json.loads(output)
        self.assertEqual((0, 1, True), (exit_status, document["format"], document["possible"]))
        self.assertEqual(
            {self.new.uuid: {"resources": {"VCPU": 3}}}, document["consumers"][0]["allocations"]
        )

    def test_evacuate_prints_rows(self):
        _, output, _ = self.run_evacuate(
            "--dry-run", "old", "-f", "value", "-c", "consumer", "-c", "to"
        )
        self.assertEqual(
            [f"{self.large.consumer_uuid} new", f"{self.small.consumer_uuid} new"],
            output.splitlines(),
        )

    def test_evacuate_stays_in_the_aggregate_only_if_asked(self):
        for arguments, is_possible in (([], True), (["--same-aggregate"], False)):
            exit_status, output, _ = self.run_evacuate("--dry-run", "old", *arguments)
            self.assertEqual(0 if is_possible else 1, exit_status, output)

    def test_evacuate_reports_a_mistake_in_one_line(self):
        for arguments, complaint in (
            (["--dry-run"], "At least one host or aggregate is required"),
            (["--dry-run", "olt"], "Did you mean old?"),
            (["--dry-run", "old", "--aggregate", "rack"], "aggregate: 'rack' is not a 'uuid'"),
            (["--dry-run", "old", "--keep", "hw_*"], " keep: "),
        ):
            exit_status, output, errors = self.run_evacuate(*arguments)
            self.assertEqual((2, ""), (exit_status, output))
            self.assertIn(complaint, errors)
            self.assertEqual(1, errors.count("\n"), errors)

    def test_evacuate_only_plans(self):
        exit_status, _, errors = self.run_evacuate("old")
        self.assertEqual(2, exit_status)
        self.assertIn("--dry-run", errors)
