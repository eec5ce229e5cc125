"""What the commands say when a real openstack-placement answers: see `make peer`."""

import tempfile
import unittest

from tests import databases
from tests.deployed.servers import peer
from tests.openstack_command import live, other_services


class RealPeer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if peer.BIN is None and not databases.REQUIRE_ALL:
            raise unittest.SkipTest("PEER_BIN does not name the programs of openstack-placement")
        directory = cls.enterClassContext(tempfile.TemporaryDirectory())
        installed = peer.Installation(peer.BIN, f"sqlite:///{directory}/placement.db")
        assert installed.run("placement-manage", "db", "sync") == (0, ""), directory
        cls.url = cls.enterClassContext(installed.serving(workers=1))

    def test_each_command_says_which_service_it_needs(self):
        for command in other_services.COMMANDS:
            with self.subTest(command):
                ended = live.openstack(self.url, command)
                self.assertEqual((1, ""), (ended.returncode, ended.stdout))
                [line] = ended.stderr.splitlines()
                self.assertIn("This command needs placement-server", line)
