"""Statements on the aggregates of a provider."""

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql import provider_with

_aggregates = tables.aggregates
_members = tables.resource_provider_aggregates


_of_provider_query = provider_with.query(
    (_aggregates.c.uuid,),
    (_members, _members.c.resource_provider_id == tables.resource_providers.c.id),
    (_aggregates, _aggregates.c.id == _members.c.aggregate_id),
).order_by(_aggregates.c.id)


def of_provider(conn, provider_uuid):
    """Return the Holding of the uuids of a provider's aggregates, or None.

    Cost: one statement.
    """
    return provider_with.find(conn, _of_provider_query, provider_uuid, str)


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
