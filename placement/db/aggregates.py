"""Statements on the aggregates of a provider."""

import sqlalchemy as sa

from placement.db import tables

_aggregates = tables.aggregates
_members = tables.resource_provider_aggregates


def list_for(conn, provider_id):
    """Return the uuids of the aggregates that a provider is in."""
    query = (
        sa.select(_aggregates.c.uuid)
        .join(_members, _members.c.aggregate_id == _aggregates.c.id)
        .where(_members.c.resource_provider_id == provider_id)
        .order_by(_aggregates.c.id)
    )
    return list(conn.scalars(query))


def replace(conn, provider_id, aggregate_ids):
    """Put a provider into exactly these aggregates.

    Cost: at most two statements.
    """
    conn.execute(sa.delete(_members).where(_members.c.resource_provider_id == provider_id))
    if aggregate_ids:
        conn.execute(
            sa.insert(_members),
            [
                {"resource_provider_id": provider_id, "aggregate_id": aggregate_id}
                for aggregate_id in sorted(aggregate_ids)
            ],
        )
