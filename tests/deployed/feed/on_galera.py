"""The feed of three servers, each with a node of its own of a Galera cluster.

Run by `make feed`, as `on_databases` is.
"""

import itertools
import unittest

import fixtures
import testtools

from tests import databases
from tests.deployed import galera
from tests.deployed.faults.placement_service import Service
from tests.deployed.feed import story
from tests.deployed.feed.victim import Victim

# One of so many kills is that of a node, which takes its time to catch up.
_NODE_KILLS = 4


class FeedOnGalera(story.Story, testtools.TestCase):
    """If it fails, whoever follows the changes through several nodes misses some of them."""

    def test_each_write_is_told_once_while_a_server_and_a_node_are_killed(self):
        if not galera.IS_INSTALLED and not databases.REQUIRE_ALL:
            raise unittest.SkipTest("mariadb-server, galera-4 and rsync are not all installed")
        nodes = self.enterContext(galera.running())
        survivor, victim, cut_off = (
            self.start(service, node)
            for service, node in zip((Service, Victim, Service), nodes, strict=True)
        )
        kills = itertools.count()

        def kill():
            if next(kills) % _NODE_KILLS == 0:
                nodes[2].kill()
                nodes[2].ensure_running()
            else:
                victim.die_and_return()

        verdict = self.check_feed("galera", [survivor, victim, cut_off], kill)
        self.assertGreaterEqual(verdict.reported, victim.silences)

    def start(self, service, node):
        directory = self.useFixture(fixtures.TempDir()).path
        return self.enterContext(service(directory, placement_database__connection=node.url))
