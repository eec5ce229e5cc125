"""The feed of three servers, each with a node of its own of a Galera cluster.

Run by `make feed`, as `on_databases` is.
"""

import itertools
import unittest

import fixtures
import testtools

from tests import databases
from tests.deployed.faults.placement_service import Service
from tests.deployed.feed import story
from tests.deployed.feed.victim import Victim
from tests.deployed.servers import galera, peer
from tests.deployed.switching import CAREFUL

# One kill in this many hits a node, which then needs time to catch up.
_NODE_KILLS = 4


class FeedOnGalera(story.Story, testtools.TestCase):
    """If it fails, clients that follow the changes through several nodes miss some."""

    def setUp(self):
        super().setUp()
        if not galera.IS_INSTALLED and not databases.REQUIRE_ALL:
            raise unittest.SkipTest("mariadb-server, galera-4 and rsync are not all installed")
        self.nodes = self.enterContext(galera.running())
        self.services = [
            self.start(service, node)
            for service, node in zip((Service, Victim, Service), self.nodes, strict=True)
        ]
        self.kills = itertools.count()

    def kill(self):
        if next(self.kills) % _NODE_KILLS == 0:
            self.nodes[2].kill()
            self.nodes[2].ensure_running()
        else:
            self.services[1].die_and_return()

    def test_each_write_is_reported_once_while_a_server_and_a_node_are_killed(self):
        verdict = self.check_feed("galera", self.services, self.kill)
        self.assertGreaterEqual(verdict.reported, self.services[1].silences)

    def test_each_write_of_another_placement_is_reported_while_a_node_is_killed(self):
        if peer.BIN is None:
            self.skipTest("PEER_BIN does not name the programs of openstack-placement")
        url = f"{self.nodes[0].url}?charset=utf8"
        with peer.Installation(peer.BIN, url + CAREFUL["mysql"]).serving() as foreign:
            self.check_feed("galera, shared", self.services, self.kill, foreign)

    def start(self, service, node):
        directory = self.useFixture(fixtures.TempDir()).path
        return self.enterContext(service(directory, placement_database__connection=node.url))
