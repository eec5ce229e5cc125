"""Histories of a service with two workers, on each database.

Run by `make history`. HISTORY_SECONDS says how long the clients run. A history with a fault is kept
in a file, whose name is printed.
"""

import os
import time

from tests import databases, server
from tests.deployed.history import calls, checker, traffic

SECONDS = float(os.environ.get("HISTORY_SECONDS", 5))
# Otherwise, on a busy machine, a client may send on a connection that is just being closed.
KEEP_ALIVE = ("--keep-alive", "60")


def check_outcomes(test, outcomes):
    """Check that a service without a fault answered everything, and stored something."""
    test.assertEqual(set(), {status for _, status in outcomes if status is None or status >= 500})
    # The history of a service that refuses everything is correct, too.
    test.assertTrue(outcomes["PUT", 204] and outcomes["POST", 204])


@databases.on_each_database
class History:
    """If it fails, two writers both believe that they were first, or an answer was false."""

    def test_the_answers_of_two_workers_have_one_order(self):
        with calls.kept_if_faulty(self.kind) as path:
            with server.placement(
                ["--workers", "2", *KEEP_ALIVE], placement_database__connection=self.url
            ) as url:
                clients = traffic.Traffic([url], path)
                clients.create_world()
                with clients.flowing():
                    time.sleep(SECONDS)
                clients.take_snapshots()
            verdict = checker.check(calls.read(path))
            print(f"{self.kind}: {verdict}")
            self.assertEqual([], verdict.faults)
        check_outcomes(self, verdict.history.outcomes)
