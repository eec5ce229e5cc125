"""Give positions to the changes that a reader sees.

The subjects of foreign writes are read from the same snapshot as the changes. So the last change to
each subject, whoever made it, ends in the subject's state in that snapshot.
Source: doc/explanation/changes.rst.
"""

import functools

from placement.db.feed import positions
from placement.objects.feed import foreign_changes


def assign_all(database):
    """Give a position to each change that is already committed."""
    while not _place_next(database):
        pass


def _place_next(database):
    """Give positions to one batch of changes; return whether it was the last one."""
    with database.reader() as conn:
        ids = positions.unpositioned(conn, positions.BATCH)
        seen = _seen(conn, ids)
    # This is False if the changes have to be read again.
    is_done = database.in_transaction(functools.partial(positions.assign, seen=seen))
    return is_done and len(ids) < positions.BATCH


def see(conn):
    """Return the Seen of a reader: what it sees of all changes without a position."""
    return _seen(conn, positions.unpositioned(conn))


def _seen(conn, ids):
    """Return the Seen for `ids`, which is {id of a change: whether another program wrote it}."""
    others = [each for each, is_foreign in ids.items() if is_foreign]
    completed, dropped = foreign_changes.complete(conn, others)
    return positions.Seen(sorted(ids.keys() - set(dropped)), completed, dropped)


def assign_to_seen(database, newest, seen):
    """Give positions to the changes Seen by a reader that sees positions up to `newest`.

    Return the position up to which the feed has exactly what the reader sees; None if other changes
    have got positions in between.
    """
    return database.in_transaction(
        functools.partial(positions.assign_to_seen, newest=newest, seen=seen)
    )
