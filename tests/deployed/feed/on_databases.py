"""The feed of two servers, of which one is killed every five seconds, on each database server.

Run by `make feed`.
"""

import fixtures

from tests import databases
from tests.deployed.faults.placement_service import Service
from tests.deployed.feed import story
from tests.deployed.feed.victim import Victim


@databases.on_each_server
class Feed(story.Story):
    """If it fails, whoever follows the changes has another cloud than the service."""

    def test_each_write_is_told_once_while_a_server_is_killed(self):
        survivor, victim = self.start(Service), self.start(Victim)
        verdict = self.check_feed(self.kind, [survivor, victim], victim.die_and_return)
        self.assertGreaterEqual(verdict.reported, victim.silences)

    def start(self, service):
        directory = self.useFixture(fixtures.TempDir()).path
        return self.enterContext(service(directory, placement_database__connection=self.url))
