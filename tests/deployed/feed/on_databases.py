"""The feed of two servers, one of which is killed every five seconds, on each database server.

Run by `make feed`, which sets PEER_BIN, the directory of openstack-placement's programs.
"""

import fixtures

from tests import databases
from tests.deployed.faults.placement_service import Service
from tests.deployed.feed import story
from tests.deployed.feed.victim import Victim
from tests.deployed.servers import peer
from tests.deployed.switching import CAREFUL


@databases.on_each_server
class Feed(story.Story):
    """If it fails, clients that follow the changes have a wrong copy of the cloud."""

    def test_each_write_is_reported_once_while_a_server_is_killed(self):
        survivor, victim = self.start(Service), self.start(Victim)
        verdict = self.check_feed(self.kind, [survivor, victim], victim.die_and_return)
        self.assertGreaterEqual(verdict.reported, victim.silences)

    def test_each_write_of_another_placement_is_reported_while_both_write(self):
        if peer.BIN is None:
            self.skipTest("PEER_BIN does not name the programs of openstack-placement")
        # The documentation of openstack-placement asks for this character set.
        url = f"{self.url}?charset=utf8" if self.kind == "mysql" else self.url
        other = peer.Installation(peer.BIN, url + CAREFUL[self.kind])
        survivor, victim = self.start(Service), self.start(Victim)
        with other.serving() as foreign:
            self.check_feed(
                f"{self.kind}, shared", [survivor, victim], victim.die_and_return, foreign
            )

    def start(self, service):
        directory = self.useFixture(fixtures.TempDir()).path
        return self.enterContext(service(directory, placement_database__connection=self.url))
