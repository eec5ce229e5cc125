"""Read the feed of changes, and find the position in it of a state that is shown.

Source: doc/how-to/changes.rst.
"""

import dataclasses

from oslo_db import exception as db_exc
from oslo_utils import uuidutils

from placement import exception
from placement.db.feed import positions, reading
from placement.db.feed.recording import ChangeKind
from placement.db.schema import galera
from placement.objects.feed import positioning
from placement.objects.retry_requests import retry

ChangeFilters = reading.ChangeFilters
KINDS = tuple(kind.value for kind in ChangeKind)
# How many changes one answer has, unless the caller asks for another number.
LIMIT = 1000
NO_FILTERS = ChangeFilters()


def page_after(database, after, limit=LIMIT, filters=NO_FILTERS, tree=None):
    """Return (the StoredChanges after a position, the position to continue after).

    An `after` of None starts with the oldest change that is kept. `tree` is the uuid of a provider:
    only changes about providers that are in its tree, or left it after that position, are returned.
    Cost: one statement if nothing is new. Otherwise three, or five with a tree, and what
        positioning.assign_all takes if changes have no position yet.
    Raises: ChangesExpired; PositionTooNew, inside a RetryRequest on a node of a cluster, which may
        be behind.
    """
    state = _read(database, positions.state)
    if state.has_unpositioned:
        positioning.assign_all(database)
    elif after == state.newest:
        return [], after
    with database.reader() as conn:
        # The state is read from the same snapshot as the changes, because others may give positions
        # or remove changes at any time.
        state = positions.state(conn)
        # Changes up to `dropped` have been removed.
        after = state.dropped if after is None else after
        if after < state.dropped:
            raise exception.ChangesExpired(position=after)
        if after > state.newest:
            raise _too_new(conn, after)
        if tree is not None:
            members = reading.tree_of(conn, tree, after, since=filters.since)
            filters = _in_tree(filters, members)
        return reading.page_after(conn, after, state.newest, limit, filters)


def page_before(database, before, limit=LIMIT, filters=NO_FILTERS, tree=None):
    """Return (StoredChanges, the position to continue before), newest first.

    A `before` of None starts with the newest change. The returned position is None if there are no
    older changes. `tree` is the uuid of a provider: only changes about providers that are in its
    tree, or have left it, are returned.
    Cost: two statements; one more if `before` is None, two more with a tree, and what
        positioning.assign_all takes if changes have no position yet.
    """
    if _read(database, positions.state).has_unpositioned:
        positioning.assign_all(database)
    with database.reader() as conn:
        if before is None:
            before = positions.state(conn).newest + 1
        if tree is not None:
            members = reading.tree_of(conn, tree, since=filters.since)
            filters = _in_tree(filters, members)
        return reading.page_before(conn, before, limit, filters)


def _read(database, query):
    with database.single_statement() as conn:
        return query(conn)


def _in_tree(filters, members):
    """Return ChangeFilters that are also limited to the members of a tree."""
    wanted = members if filters.providers is None else members & filters.providers
    return dataclasses.replace(filters, providers=frozenset(wanted))


def _too_new(conn, after):
    """Return the exception for a position that is not known here."""
    error = exception.PositionTooNew(position=after)
    return error if galera.node(conn) is None else db_exc.RetryRequest(error)


def find_provider(database, text):
    """Return the UUID of the provider with this name or UUID, even if it was deleted; or None.

    A UUID that is not found is returned, too: a deleted provider may have had it.
    Cost: one query, or two.
    """
    with database.reader() as conn:
        found = reading.find_provider(conn, text)
    return found or (text.lower() if uuidutils.is_uuid_like(text) else None)


def names_of_providers(database, changes):
    """Return {uuid: name} of those providers in StoredChanges that still exist."""
    with database.reader() as conn:
        return reading.names_of_providers(conn, changes)


def places(database, changes):
    """Return {uuid: ProviderPlace} of the providers in StoredChanges, even of deleted ones."""
    with database.reader() as conn:
        return reading.places(conn, changes)


def try_to_assign_positions(database):
    """Give positions to all committed changes, so that few lack one when a state is read.

    Return False if the primary does not answer: its replica may still do so.
    """
    try:
        if _read(database, positions.state).has_unpositioned:
            positioning.assign_all(database)
    except db_exc.DBConnectionError:
        return False
    return True


def position_of(database, conn):
    """Return the position of the state that a reader sees, giving positions if necessary.

    The changes up to this position are exactly those that the reader sees.
    Cost: one statement; if there are changes without a position, one more, and a transaction on a
        connection of its own.
    Raises: a RetryRequest if changes that the reader does not see got positions among them.
    """
    state = positions.state(conn)
    if not state.has_unpositioned:
        return state.newest
    position = _assign_to_seen(database, state.newest, positioning.see(conn))
    if position is None:
        raise retry()
    return position


def _assign_to_seen(database, newest, seen):
    """Give positions to the changes that a reader has Seen beyond those up to `newest`.

    The reader keeps its snapshot, so this uses another connection. Return the position of the state
    that the reader sees; None if there is no such position, so that the reader has to start over.
    """
    apart = database.sibling(max_pool_size=1, max_overflow=0)
    if apart is database:
        # A database in memory has only one connection: the next attempt may find nothing to do.
        return None
    try:
        return positioning.assign_to_seen(apart, newest, seen)
    finally:
        apart.disconnect()
