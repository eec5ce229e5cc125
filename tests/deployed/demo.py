"""The demo cloud, and whether each stop of its tour shows what it says. See `make walk`."""

import json
import re
import subprocess
import unittest

from demo import client, cloud, loading, tour
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

    def test_1_a_tree_has_four_providers(self):
        names = re.findall(r'"name": "(.+)"', self.stop(1))
        self.assertEqual(["b1", "b1-numa0", "b1-gpus", "b1-numa1"], names)

    def test_2_one_host_of_rack_a_is_nearly_full(self):
        names = re.findall(r'"name": "(.+)"', self.stop(2))
        self.assertEqual({"a7"}, {f"a{number}" for number in range(1, 9)} - set(names))

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

    def test_cleaning_the_demo_leaves_no_provider(self):
        loading.clean(self.client)
        self.addCleanup(loading.load, self.client)
        for root in cloud.roots():
            tree = self.client.get(f"/resource_providers?in_tree={root.uuid}")
            self.assertEqual([], tree["resource_providers"])
        self.assertNotIn(cloud.GPU_TRAIT, self.client.get("/traits")["traits"])
