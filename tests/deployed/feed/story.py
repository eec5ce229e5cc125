"""A storm on servers, one of which is killed again and again, and what its feed must report.

FEED_WRITES says how many writes must be acknowledged.
"""

import os

from tests import side_by_side
from tests.deployed.feed import follower, reporting, storm

WRITES = int(os.environ.get("FEED_WRITES", 500))
KILL_EVERY_SECONDS = 5
FEWEST_KILLS = 2
KILLS_PER_LINE = 10


class Story:
    """A mixin for a TestCase."""

    def check_feed(self, what, services, kill, foreign=None):
        """Let a storm rage, during which `kill()` is called every few seconds.

        Check that the Verdict finds no fault, and return it. `what` is printed with the figures.
        `foreign` is a server of another Placement, which the writers use as well.
        """
        urls = [service.url for service in services]
        raging = storm.Storm([*urls, foreign] if foreign else urls, WRITES)
        raging.create_world()
        kills = 0
        with follower.Follower(urls) as following, raging.raging():
            while not raging.is_enough.wait(KILL_EVERY_SECONDS) or kills < FEWEST_KILLS:
                kill()
                kills += 1
                if kills % KILLS_PER_LINE == 0:
                    side_by_side.tell(f"{what}: {raging.left} of {WRITES} writes left")
        verdict = reporting.judge(raging.outcomes, following.followed.changes, foreign)
        print(
            f"{what}: {raging}, {kills} kills; {len(following.followed.changes)} changes,"
            f" {following.followed.failures} polls without an answer; {verdict}"
        )
        self.assertEqual([], raging.internal_errors(urls)[:3])
        self.assertEqual([], verdict.faults[:3])
        self.check_copy(urls, following.followed)
        self.assertEqual({}, storm.found_by_audit(urls[0]))
        return verdict

    def check_copy(self, urls, followed):
        """Check that the copy, which was read only once, equals what each server answers."""
        self.assertEqual(1, followed.reads)
        for url in urls:
            self.assertEqual(storm.providers(url), followed.providers)
