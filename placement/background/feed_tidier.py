"""Keep the feed of changes in order. Source: doc/how-to/changes.rst.

Changes get positions here even if nobody reads the feed. Otherwise, the first reader might have to
wait while a month of changes gets positions.
"""

from placement.background.log_throttle import ThrottledLog
from placement.background.periodic import Periodic
from placement.objects.feed import tidying


class Tidier:
    """Tidies the feed of a Database once a minute, and keeps changes for `days_kept` days."""

    def __init__(self, database, days_kept):
        self._database = database
        self._days_kept = days_kept
        log = ThrottledLog("Old changes cannot be removed", expected=Exception)
        self.begin = Periodic("feed-tidier", self.tidy, log).begin

    def tidy(self):
        """Tidy the feed now."""
        # A new Database each time: a kept connection would sit idle for a minute, and a fork would
        # share it.
        apart = self._database.sibling(max_pool_size=1, max_overflow=0)
        try:
            tidying.tidy(apart, self._days_kept)
        finally:
            apart.disconnect()
