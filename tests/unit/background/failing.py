"""A database that raises errors in background threads, and finally ends these threads."""

import threading

import fixtures


class FailingDatabase(fixtures.Fixture):
    """A Database whose siblings fail a number of times, and then end any thread that reads.

    While it is in use, background work does not pause between turns.

    disconnected: how many siblings were disconnected
    """

    def __init__(self, failures):
        super().__init__()
        self._failures_left = failures
        self._ended = threading.Event()
        self.disconnected = 0

    def _setUp(self):
        self.useFixture(fixtures.MonkeyPatch("placement.background.periodic.INTERVAL", 0))

    def sibling(self, **options):
        return self

    def reader(self):
        if not self._failures_left:
            # Nothing else would end a thread that keeps asking.
            self._ended.set()
            raise SystemExit
        self._failures_left -= 1
        raise ValueError("no luck\nat all")

    def disconnect(self):
        self.disconnected += 1

    def wait(self):
        """Wait until all failures are over. Return False if that takes too long."""
        return self._ended.wait(30)
