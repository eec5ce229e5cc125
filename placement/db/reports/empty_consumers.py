"""Find and remove consumers without allocations, which should not exist."""

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql.conditions import is_one_of

_allocations = tables.allocations
_consumers = tables.consumers


def select(before):
    """Select consumers without allocations that have not changed since a moment (naive UTC).

    The moment spares new consumers: another Placement writes a consumer first, and its allocations
    in a second transaction.
    """
    touched = tables.touched(_consumers)
    return (
        sa.select(_consumers.c.uuid)
        .outerjoin(_allocations, _allocations.c.consumer_id == _consumers.c.uuid)
        .where(_allocations.c.id.is_(None), sa.or_(touched.is_(None), touched < before))
    )


def uuids(conn, before):
    """Return the uuids of all consumers that select() selects."""
    return conn.scalars(select(before).order_by(_consumers.c.uuid)).all()


def delete(conn, consumer_uuids, before):
    """Remove those of some consumers that select() still selects. Return how many.

    consumer_uuids: at most as many as a statement may have parameters
    Cost: three statements.
    """
    # A claim changes its consumer first, so either the claim waits for us or we wait for the claim.
    # Once we hold the lock, what the second statement sees cannot change.
    lock = (
        sa.select(_consumers.c.id)
        .where(_consumers.c.uuid.in_(consumer_uuids))
        .order_by(_consumers.c.uuid)
        .with_for_update()
    )
    locked_ids = conn.scalars(lock).all()
    query = select(before).with_only_columns(_consumers.c.id)
    empty_ids = conn.scalars(query.where(is_one_of(_consumers.c.id, locked_ids))).all()
    conn.execute(sa.delete(_consumers).where(is_one_of(_consumers.c.id, empty_ids)))
    return len(empty_ids)
