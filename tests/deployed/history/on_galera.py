"""Histories of three services, each with a node of its own of a Galera cluster.

Run by `make history`, as `on_databases` is.
"""

import time
import unittest

import testtools

from tests import databases, server
from tests.deployed.history import calls, checker, on_databases, traffic
from tests.deployed.history.faults import Kind
from tests.deployed.servers import galera


class OnGalera(testtools.TestCase):
    """If a test fails, what was acknowledged on one node is lost, or undone, on another."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not galera.IS_INSTALLED and not databases.REQUIRE_ALL:
            raise unittest.SkipTest("mariadb-server, galera-4 and rsync are not all installed")
        cls.nodes = cls.enterClassContext(galera.running(sync_wait=0))

    def verdict(self, **settings):
        """Return the Verdict about one service for each node, with these settings."""
        urls = [
            self.enterContext(
                server.placement(
                    on_databases.KEEP_ALIVE, placement_database__connection=node.url, **settings
                )
            )
            for node in self.nodes
        ]
        with calls.kept_if_faulty("galera") as path:
            clients = traffic.Traffic(urls, path)
            clients.create_world()
            with clients.flowing():
                time.sleep(on_databases.SECONDS)
            clients.take_snapshots()
            found = checker.check(calls.read(path))
            self.assertEqual([], found.faults, found)
        self.assertEqual(3, len(found.history.servers))
        on_databases.check_outcomes(self, found.history.outcomes)
        return found

    def test_the_answers_of_three_servers_have_one_order_if_nodes_wait_for_each_other(self):
        wait = f"init_command=SET SESSION wsrep_sync_wait = {galera.SYNC_WAIT}"
        found = self.verdict(placement_database__connection_parameters=wait)
        print(f"Galera: {found}")
        self.assertNotIn(Kind.STALE, {note.kind for note in found.notes}, found)

    def test_only_reads_are_stale_if_nodes_do_not_wait(self):
        print(f"Galera, no wait: {self.verdict()}")
