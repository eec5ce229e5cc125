"""What is lost if a database's settings let it acknowledge a write before the write is safe.

The same faults lose nothing with the settings of the other modules. If a story fails, the checker
does not notice real losses, or doc/explanation/reliability.rst asks for more than is needed.
"""

import time

import testtools

from tests.deployed.faults import database_server, galera_cluster, patroni_cluster, story
from tests.deployed.servers import mariadb, postgresql


class _KilledServer(database_server.ServerStory):
    def test_a_database_that_is_killed_loses_acknowledged_writes(self):
        with self.around(f"SIGKILL of the database with {self.setting}", keeps_writes=False):
            self.kill_again_and_again()

    @property
    def setting(self):
        return self.settings[0].strip()


class OnMariaDB(_KilledServer, testtools.TestCase):
    kind, servers = "mysql", mariadb
    settings = ["innodb_flush_log_at_trx_commit = 0\n"]


class OnPostgreSQL(_KilledServer, testtools.TestCase):
    kind, servers = "postgresql", postgresql
    settings = ["synchronous_commit=off"]


class OnGalera(galera_cluster.GaleraStory, testtools.TestCase):
    flush = 0

    def test_a_node_that_is_killed_loses_nothing(self):
        with self.around("SIGKILL of a node with innodb_flush_log_at_trx_commit = 0"):
            self.kill_a_node()

    def test_nodes_that_are_all_killed_lose_acknowledged_writes(self):
        fault = "SIGKILL of all nodes with innodb_flush_log_at_trx_commit = 0"
        with self.around(fault, keeps_writes=False):
            for _ in range(3):
                self.kill_all_nodes()
                time.sleep(story.SECONDS / 2)


class WithPatroni(patroni_cluster.PatroniStory, testtools.TestCase):
    is_synchronous = False

    def test_a_primary_that_is_cut_off_loses_acknowledged_writes(self):
        fault = "the primary cut off without synchronous_mode"
        with self.around(fault, keeps_writes=False):
            self.cut_off_the_primary()
