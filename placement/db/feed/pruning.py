"""Removing old changes, in transactions of bounded size.

Other transactions never wait long for one of these. Followers of the feed have already read the
changes that are removed, or come too late to read them.
"""

import functools
import itertools

import sqlalchemy as sa

from placement.db import tables
from placement.db.feed import positions

_changes = tables.changes
_feed = tables.feed

# The most rows that one transaction removes.
BATCH = 1000


def prune(database, before):
    """Remove the changes that were written before a moment (naive UTC). Return how many.

    They are removed in the order of their positions, so there are no gaps among those that stay.
    """
    count = 0
    while removed := database.in_transaction(functools.partial(_prune_next, before=before)):
        count += removed
    return count


def _prune_next(conn, before):
    """Remove the oldest batch of old changes; return how many changes it had."""
    query = (
        sa.select(_changes.c.position, _changes.c.written_at)
        .where(_changes.c.position.is_not(None))
        .order_by(_changes.c.position)
        .limit(BATCH)
    )
    # The first look is without the lock: there is rarely anything to do.
    if not _leading(conn, query, before):
        return 0
    positions.lock(conn)
    # The positions are read again: others may have removed some changes before we had the lock.
    old = _leading(conn, query, before)
    if old:
        last = old[-1]
        conn.execute(sa.delete(_changes).where(_changes.c.position <= last))
        conn.execute(sa.update(_feed).where(positions.ONLY_ROW).values(dropped=last))
    return len(old)


def _leading(conn, query, before):
    """Return the positions of the leading changes of `query` that were written before a moment."""
    rows = itertools.takewhile(lambda row: row.written_at < before, conn.execute(query).all())
    return [row.position for row in rows]
