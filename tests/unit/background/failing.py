"""A database that fails those who ask it in the background, and in the end lets them go."""

import threading

import fixtures


class FailingDatabase(fixtures.Fixture):
    """A Database whose siblings fail so often; whoever asks once more is ended.

    Meanwhile, turns in the background follow each other at once.

    disconnected: how many siblings were disconnected
    """

    def __init__(self, failures):
        super().__init__()
        self._failures_left = failures
        self._ended = threading.Event()
        self.disconnected = 0

    def _setUp(self):
        self.useFixture(fixtures.MonkeyPatch("placement.background.periodic._INTERVAL", 0))

    def sibling(self, **options):
        return self

    def reader(self):
        if not self._failures_left:
            # Nothing else ends a thread that asks again and again.
            self._ended.set()
            raise SystemExit
        self._failures_left -= 1
        raise ValueError("no luck\nat all")

    def disconnect(self):
        self.disconnected += 1

    def wait(self):
        """Return whether all failures are over, after some time at most."""
        return self._ended.wait(30)
