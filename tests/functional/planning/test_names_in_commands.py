"""The names that operators give to UUIDs, next to the UUIDs that commands print for people."""

import json

import fixtures
import testtools

from placement.cmd import manage
from tests import databases
from tests.commands import Commands
from tests.functional.worlds import claim, provider, set_aggregates, take

RACK = "aaaaaaaa-0000-4000-8000-000000000001"
GONE = "aaaaaaaa-0000-4000-8000-000000000002"
WEB = "bbbbbbbb-0000-4000-8000-000000000001"


class NamesInCommands(Commands, testtools.TestCase):
    """If a test fails, an operator has to look up a UUID to understand an answer."""

    def setUp(self):
        super().setUp()
        fresh = self.useFixture(databases.FreshDatabase())
        self.use_database(fresh.url)
        with fresh.database.writer() as conn:
            host = provider(conn, "node-1", {"VCPU": 8})
            set_aggregates(conn, host, [RACK])
        owner = {"consumer_uuid": WEB, "generation": None, "project_id": "batch"}
        take(fresh.database, claim({host: {"VCPU": 5}}, **owner))
        folder = self.useFixture(fixtures.TempDir()).path
        self.names = self.write(
            f"{folder}/names.json",
            json.dumps({RACK: "Rack 12", GONE: "Rack 13", WEB: "web-1", "batch": "Jobs"}),
        )
        self.known = self.write(f"{folder}/known", GONE)
        self.useFixture(fixtures.EnvironmentVariable("OS_OPERATOR__NAMES", self.names))

    def write(self, path, text):
        with open(path, "w") as file:
            file.write(text)
        return path

    def output_of(self, *arguments):
        _, output, errors = self.run_command(manage, *arguments)
        self.assertEqual("", errors)
        return output

    def test_names_stand_beside_consumers_and_projects(self):
        for command in (
            ("evacuate", "--dry-run", "node-1"),
            ("release", "VCPU:8"),
        ):
            self.assertRegex(
                self.output_of(*command), rf"{WEB} \(web-1\) +batch \(Jobs\)", command
            )

    def test_names_stand_beside_what_was_found(self):
        self.assertRegex(self.output_of("find", WEB), r"web-1 +node-1 +batch \(Jobs\) +INSTANCE")

    def test_names_stand_beside_aggregates_that_cannot_be_spared(self):
        self.assertIn(f"  {RACK} (Rack 12)  ", self.output_of("survive", "--by", "aggregate"))

    def test_names_stand_beside_aggregates_in_an_explanation(self):
        output = self.output_of("explain", f"resources=VCPU:1&member_of=!{RACK}")
        first, *others = output.splitlines()
        self.assertIn(f"{RACK} (Rack 12)", first)
        self.assertEqual(output.count(RACK), output.count(f"{RACK} (Rack 12)"))
        self.assertTrue(others)

    def test_names_stand_beside_aggregates_to_which_nothing_belongs(self):
        output = self.output_of("fit", f"resources=VCPU:1&member_of={GONE}")
        self.assertIn(f"{GONE} (Rack 13)", output.splitlines()[0])

    def test_names_stand_beside_orphans(self):
        output = self.output_of("audit", "--consumers", self.known, "--older-than", "0s")
        self.assertIn(f"{WEB} (web-1) ", output)

    def test_rows_for_programs_have_uuids_alone(self):
        output = self.output_of("evacuate", "--dry-run", "node-1", "-f", "value", "-c", "consumer")
        self.assertEqual(f"{WEB}\n", output)
