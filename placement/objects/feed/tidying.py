"""Tidy the feed: give positions to changes that nobody has read, and remove old changes."""

import datetime

from oslo_utils import timeutils

from placement.db.feed import pruning
from placement.objects.feed import positioning


def tidy(database, days_kept):
    """Give positions to all changes. Remove those older than `days_kept` days; return how many."""
    positioning.assign_all(database)
    oldest = timeutils.utcnow() - datetime.timedelta(days=days_kept)
    return pruning.prune(database, oldest)
