"""Noticing, while the service runs, what others write to books that no trigger keeps."""

import math
import threading
import time

from oslo_log import log

from placement.db import books, schema, triggers

LOG = log.getLogger(__name__)

# Claims and inventories of others advance the generation of a provider, which is cheap to see.
GENERATION_SECONDS = 1
# What they delete only makes hosts look fuller than they are, and takes all sums to see.
SUM_SECONDS = 60


class Watch:
    """Looks whether others have written, if it has to, and counts anew what they have.

    Claims do not need it: they check under their own locks. It is for what is read.
    """

    def __init__(self, database):
        self._database = database
        self._lock = threading.Lock()
        self._next_look = self._next_sums = math.inf

    def begin(self):
        """Make the books right, and look after them from now on, unless triggers do."""
        with self._database.reader() as conn:
            if triggers.are_present(conn):
                return
        if wrong := schema.settle(self._database):
            LOG.warning(
                "Inventories counted anew: %d. Another program has written to this database. "
                "With 'placement-manage db share' both can write at the same time.",
                wrong,
            )
        now = time.monotonic()
        self._next_look, self._next_sums = now + GENERATION_SECONDS, now + SUM_SECONDS

    def look(self):
        """Count what others have written since the last look, which is made once in a while."""
        now = time.monotonic()
        if now < self._next_look or not self._lock.acquire(blocking=False):
            return
        try:
            self._next_look = now + GENERATION_SECONDS
            if now < self._next_sums:
                books.catch_up_all(self._database)
            else:
                self._next_sums = now + SUM_SECONDS
                books.settle(self._database)
        finally:
            self._lock.release()
