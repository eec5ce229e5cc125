"""A Galera cluster whose nodes die, and whose machines are cut off from each other.

Each of three services uses a node of its own, and always reaches that node, so clients go on at
both sides of a split.
"""

import random
import time
import unittest

import fixtures
import testtools

from placement.db import engine
from tests import databases
from tests.deployed.faults import story
from tests.deployed.faults.placement_service import Service
from tests.deployed.servers import galera, machines

# A node waits up to 30 seconds for what others have committed (repl.causal_read_timeout).
_MOST_SECONDS_TO_NOTICE = 90


class GaleraStory(story.Story):
    """Three nodes, with sync_wait and flush as in galera.running, and three services."""

    sync_wait, flush = galera.SYNC_WAIT, 1

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not galera.IS_INSTALLED and not databases.REQUIRE_ALL:
            raise unittest.SkipTest("mariadb-server, galera-4 and rsync are not all installed")
        if reason := machines.why_impossible():
            raise unittest.SkipTest(reason)
        cls.network = cls.enterClassContext(machines.Network(galera.NODES))
        cls.nodes = cls.enterClassContext(
            galera.running(cls.sync_wait, cls.network.machines, cls.flush)
        )
        cls.services = [cls.enterClassContext(_service(cls, node)) for node in cls.nodes]

    def setUp(self):
        super().setUp()
        # A story that fails leaves no split for the next one.
        self.addCleanup(self.network.heal)
        self.databases = [engine.connect(node.url) for node in self.nodes]
        for database in self.databases:
            self.addCleanup(database.engine.dispose)

    def around(self, fault, **options):
        fault = f"{fault}, Galera with wsrep_sync_wait = {self.sync_wait}"
        urls = [service.url for service in self.services]
        return self.history(fault, urls, self.databases, **options)

    def wait_for_statuses(self, *expected):
        """Wait until each service answers with the status that is given for it."""
        deadline = time.monotonic() + _MOST_SECONDS_TO_NOTICE
        while (found := [story.status(each.url) for each in self.services]) != [*expected]:
            self.assertLess(time.monotonic(), deadline, found)
            time.sleep(0.2)

    def kill_a_node(self):
        self.nodes[1].kill()
        time.sleep(story.SECONDS)
        self.nodes[1].ensure_running()

    def kill_all_nodes(self):
        for node in self.nodes:
            node.kill()
        self.wait_for_statuses(503, 503, 503)
        galera.recover(self.nodes)


class _Cluster(GaleraStory):
    def test_a_node_is_cut_off(self):
        with self.around("a node cut off"):
            self.network.split(self.network.machines[2:])
            self.wait_for_statuses(200, 200, 503)
            time.sleep(story.SECONDS)
            self.network.heal()

    def test_links_are_slow(self):
        how = self.network.slow_down()
        with self.around(how):
            time.sleep(story.SECONDS)
            self.network.speed_up()


class Cluster(_Cluster, testtools.TestCase):
    """If a test fails, a cloud with several writers loses claims, or promises more than it has."""

    def test_a_node_is_cut_off_again_and_again(self):
        with self.around("a node cut off for moments"):
            deadline = time.monotonic() + story.SECONDS
            while time.monotonic() < deadline:
                self.network.split(self.network.machines[:1])
                time.sleep(random.uniform(0, 2))
                self.network.heal()
                time.sleep(random.uniform(0, 2))

    def test_all_nodes_are_cut_off_from_each_other(self):
        with self.around("all nodes cut off from each other"):
            self.network.split(*([machine] for machine in self.network.machines))
            self.wait_for_statuses(503, 503, 503)
            time.sleep(story.SECONDS)
            self.network.heal()

    def test_a_node_is_killed(self):
        with self.around("SIGKILL of a node"):
            self.kill_a_node()

    def test_all_nodes_are_killed(self):
        with self.around("SIGKILL of all nodes"):
            self.kill_all_nodes()


class ClusterThatDoesNotWait(_Cluster, testtools.TestCase):
    """If a test fails, nodes that do not wait for the others cause more than stale reads."""

    sync_wait, may_be_stale = 0, True


def _service(test, node):
    directory = test.enterClassContext(fixtures.TempDir()).path
    return Service(directory, placement_database__connection=node.url)
