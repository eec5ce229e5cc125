"""Giving positions to stored changes: after they are committed, and one batch at a time.

This waits for no writer: what is not committed yet gets its position next time.
Source: doc/explanation/changes.rst.
"""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql.conditions import is_one_of
from placement.db.sql.prepared import ONE, Prepared

_changes = tables.changes
_feed = tables.feed
# The condition that selects the only row of this table.
ONLY_ROW = _feed.c.id == 1

# The most rows that one transaction gives positions to.
BATCH = 1000
# More positions than a database ever gives between a backup and its restoration.
_SKIPPED = 10**8


class FeedState(NamedTuple):
    """Which positions can be read: those after `dropped`, up to `newest`.

    has_unpositioned  whether there are changes without a position
    """

    newest: int
    dropped: int
    has_unpositioned: bool


_unpositioned = _changes.c.position.is_(None)
_state_query = Prepared(
    lambda: sa.select(
        _feed.c.newest, _feed.c.dropped, sa.exists(sa.select(ONE).where(_unpositioned))
    ).where(_feed.c.id == ONE)
)


def state(conn):
    """Return the FeedState.

    Cost: one statement.
    """
    newest, dropped, has_unpositioned = _state_query.execute(conn, {}).one()
    return FeedState(newest, dropped, bool(has_unpositioned))


class Seen(NamedTuple):
    """What a reader sees of the changes without a position.

    ids        the ids of the changes that get a position, in order
    completed  {id: {column: value}} for those that other programs wrote; all have the same columns
    dropped    the ids of the changes that get no position, because another makes them redundant
    """

    ids: list[int]
    completed: dict[int, dict]
    dropped: list[int]


def unpositioned(conn, limit=None):
    """Return {id: whether another program wrote it} of changes without a position, sorted by id."""
    query = sa.select(_changes.c.id, _changes.c.operation.is_(None))
    found = conn.execute(query.where(_unpositioned).order_by(_changes.c.id).limit(limit))
    return {key: bool(is_foreign) for key, is_foreign in found}


def assign(conn, seen):
    """Give positions to the changes that a reader has Seen. Return whether that was done.

    If not, others have given positions meanwhile, and the reader has to look again.
    """
    # The lock returns the newest position.
    return _place(conn, newest=lock(conn), seen=seen)


def assign_to_seen(conn, newest, seen):
    """Give positions to the changes Seen by a reader that sees positions up to `newest`.

    Return the position up to which the changes are exactly those that the reader sees. Return None
    if other changes have been given positions among them meanwhile, or if the reader saw changes
    that a crash of the database has undone since.
    """
    # The lock returns the newest position of all, which may be greater than the reader's.
    _place(conn, newest=lock(conn), seen=seen)
    position = conn.scalar(
        _with_ids(seen.ids).with_only_columns(sa.func.max(_changes.c.position))
    )
    if position is None:
        return None
    count = sa.select(sa.func.count()).where(
        _changes.c.position > newest, _changes.c.position <= position
    )
    return position if conn.scalar(count) == len(seen.ids) else None


def _with_ids(ids):
    """Select the changes with these ids."""
    return sa.select(_changes.c.id).where(is_one_of(_changes.c.id, ids))


def renumber(conn):
    """Give all changes greater positions, so that positions known to clients count as removed.

    This is for a restored backup: clients may know positions given after the backup was made.
    Cost: three statements, one of which updates all changes.
    """
    lock(conn)
    conn.execute(sa.update(_changes).values(position=_changes.c.position + _SKIPPED))
    conn.execute(
        sa.update(_feed)
        .where(ONLY_ROW)
        .values(newest=_feed.c.newest + _SKIPPED, dropped=_feed.c.dropped + _SKIPPED)
    )


def lock(conn):
    """Keep others from giving positions, and return the newest position."""
    query = sa.select(_feed.c.newest).where(ONLY_ROW).with_for_update()
    return conn.scalar(query)


def _place(conn, newest, seen):
    """Give positions greater than `newest` to the changes Seen, in the order of their ids.

    Foreign changes were completed from their neighbours. So if any of the Seen changes are foreign,
    and others have meanwhile given positions to some of the Seen changes, return False and change
    nothing. Otherwise return True.
    """
    query = _with_ids([*seen.ids, *seen.dropped]).where(_unpositioned).order_by(_changes.c.id)
    ids = conn.scalars(query).all()
    if seen.completed or seen.dropped:
        if len(ids) < len(seen.ids) + len(seen.dropped):
            return False
        _complete(conn, seen)
        ids = seen.ids
    if ids:
        _assign_positions(conn, newest, ids)
    return True


def _complete(conn, seen):
    """Complete the changes by others as a Seen says, and delete those that add nothing."""
    if seen.dropped:
        conn.execute(sa.delete(_changes).where(is_one_of(_changes.c.id, seen.dropped)))
    if seen.completed:
        rows = [{"completed_id": key} | values for key, values in seen.completed.items()]
        conn.execute(sa.update(_changes).where(_changes.c.id == sa.bindparam("completed_id")), rows)


def _assign_positions(conn, newest, ids):
    """Give changes the positions after `newest`, with the same gaps as between their ids.

    `ids` are sorted.
    """
    shift = newest + 1 - ids[0]
    conn.execute(
        sa.update(_changes)
        # Through another index, MySQL might meet rows that are not committed, and wait for them.
        .with_hint("FORCE INDEX (PRIMARY)", dialect_name="mysql")
        .where(is_one_of(_changes.c.id, ids))
        .values(position=_changes.c.id + shift)
    )
    conn.execute(sa.update(_feed).where(ONLY_ROW).values(newest=ids[-1] + shift))
