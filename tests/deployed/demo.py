"""The demo cloud, and whether each stop of its tour shows what it says. See `make walk`."""

import csv
import datetime
import io
import json
import re
import subprocess
import unittest

import demo
from demo import client, cloud, loading, month, tour
from placement.flavors import flavor_file
from tests import server


class Demo(unittest.TestCase):
    """The server is the one at $BASE_URL, or one that is started here."""

    @classmethod
    def setUpClass(cls):
        url = cls.enterClassContext(server.running())
        cls.client = client.Client(url)
        cls.function = tour.text(url).partition("1. ")[0].partition("\n")[2]
        loading.load(cls.client)
        cls.addClassCleanup(loading.clean, cls.client)

    def stop(self, number):
        """Return what a stop of the tour prints."""
        script = f"{self.function}\n{tour.STOPS[number - 1].command}"
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return run.stdout

    def test_loading_the_demo_twice_leaves_all_instances_once(self):
        loading.load(self.client)
        projects = {instance.project for instance in cloud.instances()}
        usages = [self.client.get(f"/usages?project_id={each}")["usages"] for each in projects]
        counts = [each["INSTANCE"]["consumer_count"] for each in usages]
        self.assertEqual(cloud.INSTANCES, sum(counts))

    def test_the_racks_have_names_and_each_flavor_fits(self):
        names = json.loads(demo.NAMES.read_text())
        self.assertEqual(names, {cloud.uuid_of(rack): name for rack, name in cloud.RACKS.items()})
        for flavor in flavor_file.load(demo.FLAVORS):
            self.assertGreater(self.client.get(f"/operator/fit?{flavor.query}")["fit"], 0)

    def test_one_instance_is_left_over_and_one_device_waits_to_be_cleaned(self):
        checks = self.client.get("/operator/audit")["checks"]
        # A server at $BASE_URL may have had unused names before it got the demo cloud.
        found = {
            each["check"]: each["count"]
            for each in checks
            if each["count"] and not each["check"].startswith("unused_")
        }
        self.assertEqual({"instance_in_two_trees": 1, "device_to_clean": 1}, found)

    def test_the_first_query_has_a_candidate_for_each_host_of_rack_c(self):
        self.assertIn(
            f"\n    GET {tour.PLACES}\n\nThe answer has 6 candidates. The first takes\n"
            "2 VCPU and 4096 MEMORY_MB from c1, 40 DISK_GB from c-shared-disk.",
            tour.first_query(self.client),
        )

    def test_1_a_tree_has_four_providers(self):
        names = re.findall(r'"name": "(.+)"', self.stop(1))
        self.assertEqual(["b1", "b1-numa0", "b1-gpus", "b1-numa1"], names)

    def test_2_one_host_of_rack_d_is_nearly_full(self):
        names = re.findall(r'"name": "(.+)"', self.stop(2))
        self.assertEqual({"a7"}, {f"a{number}" for number in range(5, 9)} - set(names))

    def test_3_a_candidate_takes_disk_from_the_shared_provider(self):
        [request] = json.loads(self.stop(3))["allocation_requests"]
        shared = request["allocations"].pop(cloud.uuid_of("c-shared-disk"))
        self.assertEqual({"DISK_GB": 40}, shared["resources"])
        [host] = request["allocations"].values()
        self.assertEqual({"VCPU": 2, "MEMORY_MB": 4096}, host["resources"])

    def test_4_more_instances_fit(self):
        self.assertRegex(self.stop(4), r'^ +"fit": \d\d\d,$')

    def test_5_the_host_with_the_mistake_is_named(self):
        self.assertIn('"b3"', self.stop(5))

    def test_the_last_sample_of_its_month_is_the_cloud_as_it_is_loaded(self):
        text = io.StringIO()
        month.write(text, datetime.datetime(2026, 11, 24, 13, 20, tzinfo=datetime.UTC))
        lines = list(csv.DictReader(io.StringIO(text.getvalue())))
        newest = [line for line in lines if line["At"] == lines[-1]["At"]]
        fields = ("used", "capacity", "largest_free", "full", "providers")
        self.assertEqual(
            {
                row["class"]: [row[field] for field in fields]
                for row in self.client.get("/operator/capacity")["rows"]
            },
            {
                line["Class"]: [int(line[field.replace("_", " ").capitalize()]) for field in fields]
                for line in newest
            },
        )
        self.assertEqual((month.DAYS * 24 + 1) * 6, len(lines))

    def test_cleaning_the_demo_leaves_no_provider(self):
        loading.clean(self.client)
        self.addCleanup(loading.load, self.client)
        for root in cloud.roots():
            tree = self.client.get(f"/resource_providers?in_tree={root.uuid}")
            self.assertEqual([], tree["resource_providers"])
        self.assertNotIn(cloud.GPU_TRAIT, self.client.get("/traits")["traits"])
