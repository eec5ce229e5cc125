"""Tidying the feed: changes that nobody has read get positions, and old ones are removed."""

import datetime

from oslo_utils import timeutils

from placement.db.feed import pruning
from placement.objects.feed import positioning


def tidy(database, days):
    """Give positions to all changes. Remove those older than `days`, and return how many."""
    positioning.place_all(database)
    return pruning.prune(database, timeutils.utcnow() - datetime.timedelta(days=days))
