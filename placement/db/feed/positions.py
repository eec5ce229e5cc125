"""Giving positions to stored changes: later than their commit, and to one batch at a time.

Nobody waits for a writer: what is not committed yet gets its position next time.
Source: doc/explanation/changes.rst.
"""

import functools
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql.conditions import is_one_of
from placement.db.sql.prepared import ONE, Prepared

_changes = tables.changes
_feed = tables.feed

# The most rows that one transaction gives positions to.
BATCH = 1000


class FeedState(NamedTuple):
    """Which positions can be read: those after `dropped`, up to `newest`.

    `has_more` says that there are changes without a position.
    """

    newest: int
    dropped: int
    has_more: bool


_unplaced = _changes.c.position.is_(None)
_state_query = Prepared(
    lambda: sa.select(
        _feed.c.newest, _feed.c.dropped, sa.exists(sa.select(ONE).where(_unplaced))
    ).where(_feed.c.id == ONE)
)


def state(conn):
    """Return the FeedState.

    Cost: one statement.
    """
    newest, dropped, has_more = _state_query.execute(conn, {}).one()
    return FeedState(newest, dropped, bool(has_more))


def unplaced(conn, limit=None):
    """Return the ids of the changes without a position, in order."""
    return conn.scalars(
        sa.select(_changes.c.id).where(_unplaced).order_by(_changes.c.id).limit(limit)
    ).all()


def place_all(database):
    """Give a position to each change that is committed by now."""
    while database.in_transaction(_place_next) == BATCH:
        pass


def _place_next(conn):
    newest = lock(conn)
    ids = unplaced(conn, BATCH)
    _place(conn, newest, ids)
    return len(ids)


def place_seen(database, newest, ids):
    """Give positions to changes that a reader sees without one, in a state with a `newest` one.

    Return the position of that state: the changes up to it are those that the reader sees, and no
    others. None if other changes have got positions among them meanwhile, or if the reader saw what
    a crash of the database has undone since.
    """
    return database.in_transaction(functools.partial(_place_seen, newest=newest, ids=ids))


def _place_seen(conn, newest, ids):
    last = lock(conn)
    _place(conn, last, conn.scalars(_of(ids).where(_unplaced).order_by(_changes.c.id)).all())
    position = conn.scalar(_of(ids).with_only_columns(sa.func.max(_changes.c.position)))
    if position is None:
        return None
    count = sa.select(sa.func.count()).where(
        _changes.c.position > newest, _changes.c.position <= position
    )
    return position if conn.scalar(count) == len(ids) else None


def _of(ids):
    return sa.select(_changes.c.id).where(is_one_of(_changes.c.id, ids))


def lock(conn):
    """Keep others from giving positions, and return the newest one."""
    query = sa.select(_feed.c.newest).where(_feed.c.id == 1).with_for_update()
    return conn.scalar(query)


def _place(conn, newest, ids):
    """Give positions greater than `newest` to changes, in the order of their ids."""
    if not ids:
        return
    shift = newest + 1 - ids[0]
    conn.execute(
        sa.update(_changes)
        # Through another index, MySQL might meet rows that are not committed, and wait for them.
        .with_hint("FORCE INDEX (PRIMARY)", dialect_name="mysql")
        .where(is_one_of(_changes.c.id, ids))
        .values(position=_changes.c.id + shift)
    )
    conn.execute(sa.update(_feed).where(_feed.c.id == 1).values(newest=ids[-1] + shift))
