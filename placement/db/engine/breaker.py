"""Keeps threads from waiting for a database that is known to be down."""

import contextlib
import threading

from placement.db.faults import outages

# How long a thread waits for another one's attempt: long enough to connect to a database that is up
# again.
TRIAL_SECONDS = 1


class Breaker:
    """Lets one thread at a time try again after an attempt to connect timed out.

    Meanwhile the others fail soon. Otherwise each would wait until its own attempt timed out, while
    more requests queued up. Once that thread succeeds, the others connect as well.
    """

    def __init__(self):
        self._is_broken = False
        self._trial = threading.Lock()

    @contextlib.contextmanager
    def attempt(self):
        """Context manager: connect inside. Raises: Outage, if another thread is still trying."""
        is_trial = self._is_broken and self._begins_trial()
        try:
            yield
            self._is_broken = False
        except outages.Outage as outage:
            # After any other failure, each thread may try again: such a failure is reported at
            # once, so no client waits.
            self._is_broken = outage.reason is outages.Reason.SLOW
            raise
        finally:
            if is_trial:
                # _begins_trial has acquired it.
                self._trial.release()

    def _begins_trial(self):
        """Wait for another thread's attempt, and return whether one more is needed.

        If so, the caller holds the lock, and must release it after its attempt.
        Raises: Outage, if the other attempt takes too long.
        """
        if not self._trial.acquire(timeout=TRIAL_SECONDS):
            raise outages.Outage(outages.Reason.SLOW, "Another request is trying to connect.")
        is_needed = self._is_broken
        if not is_needed:
            self._trial.release()
        return is_needed
