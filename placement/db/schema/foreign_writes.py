"""Finding what others write while the service runs, if no triggers keep the derived sums right."""

import math
import threading
import time

from oslo_log import log

from placement.db import engine
from placement.db.derived_sums import recount, triggers
from placement.db.schema import migration_lock

LOG = log.getLogger(__name__)

# The most retries when a connection that has just worked is lost.
_RETRIES = 3

# How often generations are compared. That is cheap, and others advance the generation of a provider
# when they write claims or inventories.
GENERATION_SECONDS = 1
# How often all sums are compared, which takes longer. That finds allocations which others have
# deleted; until then, these only make hosts look fuller than they are.
SUM_SECONDS = 60


class ForeignWrites:
    """Checks from time to time whether others have written, and recounts what they changed.

    Only reads need this, because claims check under their own locks.
    """

    def __init__(self, database):
        self._database = database
        self._lock = threading.Lock()
        # The moments (time.monotonic) of the next checks; before begin(), there are none.
        self._next_check = self._next_sums = math.inf

    def begin(self):
        """Correct the derived sums, and check them from now on, unless triggers keep them right."""
        with self._database.reader() as conn:
            if triggers.are_present(conn):
                return
        with self._database.patient() as patient, migration_lock.held(patient):
            wrong = recount.correct_all(patient)
        if wrong:
            LOG.warning(
                "Inventories recounted: %d. Another program has written to this database. "
                "Run 'placement-manage db share' to let both write at the same time.",
                wrong,
            )
        now = time.monotonic()
        # check() compares generations at the first of these times, and all sums at the second.
        self._next_check, self._next_sums = now + GENERATION_SECONDS, now + SUM_SECONDS

    def check(self):
        """Recount what others have written, if the last check was long enough ago."""
        now = time.monotonic()
        # If another thread has the lock, it is checking already.
        if now < self._next_check or not self._lock.acquire(blocking=False):
            return
        try:
            if now < self._next_sums:
                _repeated(recount.catch_up_all)(self._database)
            else:
                _repeated(recount.correct_all)(self._database)
                self._next_sums = now + SUM_SECONDS
            # A check that failed does not count: the next request checks again.
            self._next_check = now + GENERATION_SECONDS
        finally:
            self._lock.release()


def _repeated(check):
    """Return a function that calls `check`, and calls it again if a connection is lost."""
    return engine.retry_on_conflict(check, _RETRIES)
