"""placement-manage explain: what it prints, and its exit status."""

import json

from placement.cmd import manage
from tests import databases
from tests.commands import Commands
from tests.functional.worlds import claim, provider, take


@databases.on_each_database
class ExplainCommand(Commands):
    """If one fails, the first question of an operator is answered wrongly, or not at all."""

    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        with self.database.writer() as conn:
            self.full = provider(conn, "full", {"VCPU": 8, "MEMORY_MB": 1024})
            provider(conn, "small", {"VCPU": 2, "MEMORY_MB": 1024})
        take(self.database, claim({self.full: {"VCPU": 5}}))

    def explain(self, *arguments):
        return self.run_command(manage, "explain", *arguments)

    def test_nothing_was_found(self):
        status, output, _ = self.explain("resources=VCPU:4,MEMORY_MB:512")
        self.assertEqual(1, status)
        summary, *rest = output.splitlines()
        self.assertEqual(
            "0 of 2 hosts: 2 have too little VCPU free (at most 3, asked 4).", summary
        )
        self.assertIn("| resources VCPU:4        |    2 |         2 |    0 | ", output)
        self.assertIn(f"  full ({self.full.uuid}): resources VCPU:4 (capacity, 3 free)", rest)
        self.assertIn("  resources VCPU:4: ask for VCPU:3 (1 host)", rest)

    def test_something_was_found(self):
        status, output, _ = self.explain("resources=VCPU:3")
        self.assertEqual(0, status)
        self.assertEqual(
            "1 of 2 hosts: 1 has too little VCPU free (at most 2, asked 3).",
            output.splitlines()[0],
        )

    def test_programs_read_json(self):
        status, output, _ = self.explain("resources=VCPU:4", "--json", "--closest", "1")
        document = json.loads(output)
        self.assertEqual(1, status)
        self.assertEqual({"all": 2, "pass": 0}, document["hosts"])
        self.assertEqual(["full"], [host["name"] for host in document["closest"]])

    def test_the_query_is_taken_from_a_line_of_the_log(self):
        uri = "/placement/allocation_candidates?resources=VCPU%3A4&limit=9"
        line = f'10.0.0.1 "GET {uri}" status: 200 len: 53 microversion: 1.39'
        _, from_log, _ = self.explain("--from-log", line)
        self.assertEqual(self.explain("resources=VCPU:4&limit=9")[1], from_log)
        status, _, errors = self.explain("--from-log", "GET /traits")
        self.assertEqual(2, status)
        self.assertIn("no GET /allocation_candidates?", errors)

    def test_mistakes_are_said_in_one_line(self):
        for arguments in (["resources=VCPU"], ["resources=VCPU:1", "--closest", "101"], []):
            status, output, errors = self.explain(*arguments)
            self.assertEqual((2, "", 1), (status, output, errors.count("\n")), errors)
