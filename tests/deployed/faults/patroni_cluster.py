"""A synchronously replicated PostgreSQL that loses its primary.

The URL of the two services lists all machines, so they find the primary. They always reach every
machine, so clients go on at both sides of a split.
"""

import time
import unittest

import fixtures
import testtools

from placement.db import engine
from tests import databases
from tests.deployed.faults import story
from tests.deployed.faults.placement_service import Service
from tests.deployed.servers import machines, patroni


class PatroniStory(story.Story):
    """A cluster, `is_synchronous` or not, and two services that use it."""

    is_synchronous = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not patroni.IS_INSTALLED and not databases.REQUIRE_ALL:
            raise unittest.SkipTest("patroni, etcd-server and postgresql are not all installed")
        if reason := machines.why_impossible():
            raise unittest.SkipTest(reason)
        cls.network = cls.enterClassContext(machines.Network(patroni.NODES))
        cls.cluster = cls.enterClassContext(
            patroni.running(cls.network.machines, cls.is_synchronous)
        )
        cls.urls = [cls.enterClassContext(_service(cls)).url for _ in range(2)]

    def setUp(self):
        super().setUp()
        # A story that fails leaves no split for the next one.
        self.addCleanup(self.network.heal)
        self.database = engine.connect(self.cluster.url)
        self.addCleanup(self.database.engine.dispose)

    def around(self, fault, **options):
        fault = f"{fault}, PostgreSQL with Patroni"
        return self.history(fault, self.urls, [self.database], **options)

    def cut_off_the_primary(self):
        primary = self.cluster.wait_for_primary()
        self.network.split([primary.machine])
        self.cluster.wait_for_primary(primary)
        time.sleep(story.SECONDS)
        self.network.heal()
        self.cluster.wait_until_whole()


class Cluster(PatroniStory, testtools.TestCase):
    """If a test fails, a failover loses what was acknowledged, or the service needs a restart."""

    def test_the_primary_is_killed(self):
        with self.around("SIGKILL of the primary"):
            primary = self.cluster.wait_for_primary()
            primary.kill()
            self.cluster.wait_for_primary(primary)
            time.sleep(story.SECONDS)
            primary.start()
            self.cluster.wait_until_whole()

    def test_the_primary_is_cut_off(self):
        with self.around("the primary cut off"):
            self.cut_off_the_primary()

    def test_another_node_becomes_the_primary_as_planned(self):
        with self.around("a switch-over"):
            primary = self.cluster.wait_for_primary()
            primary.hand_over()
            self.cluster.wait_for_primary(primary)
            self.cluster.wait_until_whole()


def _service(test):
    directory = test.enterClassContext(fixtures.TempDir()).path
    return Service(directory, placement_database__connection=test.cluster.url)
