"""Rows that releases before Stein wrote, and that today's rules do not foresee."""

import sqlalchemy as sa

from placement.db import tables


def count_providers_without_root(conn):
    """Return the number of providers from the time before there were trees."""
    providers = tables.resource_providers
    return conn.scalar(
        sa.select(sa.func.count())
        .select_from(providers)
        .where(providers.c.root_provider_id.is_(None))
    )


def count_consumers_without_record(conn):
    """Return the number of consumers that have allocations and no row of their own."""
    allocations, consumers = tables.allocations, tables.consumers
    return conn.scalar(
        sa.select(sa.func.count(sa.distinct(allocations.c.consumer_id)))
        .select_from(
            allocations.outerjoin(consumers, consumers.c.uuid == allocations.c.consumer_id)
        )
        .where(consumers.c.id.is_(None))
    )
