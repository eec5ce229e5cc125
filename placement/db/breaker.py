"""Not keeping threads waiting for a database that is known not to answer."""

import contextlib
import threading

from placement.db import outages

# Enough for a connection to a database that is back.
_TRIAL_SECONDS = 1


class Breaker:
    """After a connection that was not made in time, lets one thread at a time try again.

    The others soon fail, instead of each waiting as long as the one before it, while more
    requests queue. When the thread that tries succeeds, they go on.
    """

    def __init__(self):
        self._is_broken = False
        self._trial = threading.Lock()

    @contextlib.contextmanager
    def attempt(self):
        """Make a connection inside. Raises: Outage, if another thread still has to find out."""
        is_trial = self._is_broken and self._begins_trial()
        try:
            yield
            self._is_broken = False
        except outages.Outage as outage:
            self._is_broken = outage.reason is outages.Reason.SLOW
            raise
        finally:
            if is_trial:
                self._trial.release()

    def _begins_trial(self):
        """Wait for the trial of another thread, and return whether there has to be one more."""
        if not self._trial.acquire(timeout=_TRIAL_SECONDS):
            raise outages.Outage(outages.Reason.SLOW, "Another request tries to connect.")
        is_needed = self._is_broken
        if not is_needed:
            self._trial.release()
        return is_needed
