"""Keeps threads from waiting for a database that is known to be down."""

import contextlib
import threading

from placement.db.faults import outages

# How long a thread waits for another thread's attempt to connect: long enough for the attempt to
# succeed if the database is up again.
TRIAL_SECONDS = 1


class Breaker:
    """Lets one thread at a time try again after an attempt to connect timed out.

    While it tries, the others fail quickly. Otherwise each would wait until its own attempt timed
    out, while more requests queued up. Once an attempt has succeeded, all threads connect again.
    """

    def __init__(self):
        self._is_broken = False
        self._trial = threading.Lock()

    @contextlib.contextmanager
    def attempt(self):
        """Context manager: connect inside it. Raises: Outage, if another thread is still trying."""
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
                # _begins_trial() has acquired this lock.
                self._trial.release()

    def _begins_trial(self):
        """Wait for another thread's attempt, if any; return whether one more attempt is needed.

        If one is needed, the caller now holds the lock, and must release it after its attempt.
        Raises: Outage, if the other attempt takes too long.
        """
        if not self._trial.acquire(timeout=TRIAL_SECONDS):
            raise outages.Outage(outages.Reason.SLOW, "Another request is trying to connect.")
        is_needed = self._is_broken
        if not is_needed:
            self._trial.release()
        return is_needed
