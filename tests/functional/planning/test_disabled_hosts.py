"""Hosts that nova has disabled are marked in the answers to operators, on each database."""

import json
import pathlib

from placement.cmd import manage
from placement.db import disabled_hosts
from tests import databases
from tests.commands import Commands
from tests.functional.worlds import claim, provider, set_aggregates, set_traits, take

CASES = pathlib.Path(__file__).parents[2] / "repeated_rules.json"
RACK = "aaaaaaaa-0000-4000-8000-000000000001"


@databases.on_each_database
class DisabledHosts(Commands):
    """If a test fails, an operator wonders why nova places nothing on a host that has room."""

    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        with self.database.writer() as conn:
            self.on = provider(conn, "node-on", {"VCPU": 2})
            self.off = provider(conn, "node-off", {"VCPU": 8})
            child = provider(conn, "node-off-card", {"PGPU": 1}, parent=self.off)
            set_traits(conn, self.off, ["COMPUTE_STATUS_DISABLED"])
            set_traits(conn, child, ["COMPUTE_STATUS_DISABLED"])
            set_aggregates(conn, self.off, [RACK])
        self.instance = claim({self.off: {"VCPU": 6}, child: {"PGPU": 1}, self.on: {"VCPU": 1}})
        take(self.database, self.instance)

    def document(self, *arguments):
        _, output, _ = self.run_command(manage, *arguments, "--json")
        return json.loads(output)

    def text(self, *arguments):
        _, output, _ = self.run_command(manage, *arguments)
        return output

    def test_the_hosts_are_those_of_the_page(self):
        """The page has a test with the same cases."""
        with self.database.writer() as conn:
            for number, case in enumerate(json.loads(CASES.read_text())["providers"]):
                parent = None if case["is_root"] else self.on
                created = provider(conn, f"case-{number}", parent=parent)
                set_traits(conn, created, case["traits"])
                found = disabled_hosts.among(conn, [created.uuid])
                self.assertEqual({created.uuid} if case["disabled"] else set(), found, case)

    def assert_marked(self, hosts):
        """Check that both hosts are among some documents, and only the disabled one is marked."""
        self.assertEqual(
            {"node-on": None, "node-off": True},
            {each["name"]: each.get("disabled") for each in hosts},
        )

    def test_find_marks_hosts_and_those_of_consumers(self):
        found = self.document("find", "node-o")["found"]
        self.assert_marked(each["hosts"][0] for each in found)
        (consumer,) = self.document("find", self.instance.consumer_uuid)["found"]
        self.assert_marked(consumer["hosts"])
        output = self.text("find", "node-o")
        self.assertIn("  node-off (disabled)\n", output)
        self.assertRegex(output, r" node-off-card +node-off \(disabled\)\n")
        output = self.text("find", self.instance.consumer_uuid)
        self.assertIn("node-off (disabled), node-on", output)

    def test_an_explanation_marks_the_closest_hosts_and_a_host_asked_for(self):
        self.assert_marked(self.document("explain", "VCPU:9")["closest"])
        self.assertIn("  node-off (disabled)  ", self.text("explain", "VCPU:9"))
        self.assertRegex(self.text("explain", "VCPU:9"), r"1 host: node-off \(disabled\)")
        only = self.document("explain", "VCPU:9", "--host", "node-off")["host"]
        self.assertTrue(only["disabled"])

    def test_fit_marks_hosts_and_the_hosts_added_like_them(self):
        self.assert_marked(self.document("fit", "VCPU:1")["hosts"])
        output = self.text("fit", "VCPU:1", "--add", "node-off:1")
        self.assertIn("  node-off (disabled)  ", output)
        self.assertIn("  node-off +1 (disabled)  ", output)

    def test_release_marks_hosts(self):
        self.assertIn("  node-off (disabled)  ", self.text("release", "VCPU:3"))
        (host,) = self.document("release", "VCPU:3")["hosts"]
        self.assertTrue(host["disabled"])

    def test_survival_marks_hosts_that_cannot_be_spared(self):
        take(self.database, claim({self.off: {"VCPU": 2}}))
        self.assert_marked(self.document("survive")["lost"])
        output = self.text("survive")
        self.assertIn("  node-off (disabled)  ", output)
        self.assertNotIn("node-on (disabled)", output)

    def test_survival_marks_no_aggregates(self):
        (rack,) = self.document("survive", "--by", "aggregate")["lost"]
        self.assertEqual((RACK, None), (rack["uuid"], rack.get("disabled")))

    def test_a_consumer_may_stay_on_a_disabled_host_when_a_shared_disk_is_emptied(self):
        with self.database.writer() as conn:
            disks = [provider(conn, name, {"DISK_GB": 50}) for name in ("disk-1", "disk-2")]
            for disk in disks:
                set_traits(conn, disk, ["MISC_SHARES_VIA_AGGREGATE"])
                set_aggregates(conn, disk, [RACK])
        instance = claim({self.off: {"VCPU": 1}, disks[0]: {"DISK_GB": 10}})
        take(self.database, instance)
        plan = self.document("evacuate", "--dry-run", "disk-1")
        (move,) = plan["consumers"]
        self.assertEqual("node-off", move["to"]["name"])
        self.assertEqual(
            {self.off.uuid: {"VCPU": 1}, disks[1].uuid: {"DISK_GB": 10}},
            {key: each["resources"] for key, each in move["allocations"].items()},
        )

    def test_no_consumer_moves_to_a_disabled_host(self):
        with self.database.writer() as conn:
            left = provider(conn, "node-left", {"VCPU": 2})
        take(self.database, claim({left: {"VCPU": 2}}))
        (move,) = self.document("evacuate", "--dry-run", "node-left")["consumers"]
        self.assertIsNone(move.get("to"))

    def test_an_evacuation_marks_hosts_that_are_emptied(self):
        hosts = self.document("evacuate", "--dry-run", "node-on", "node-off")["hosts"]
        self.assert_marked(hosts)
