"""What must hold in any database that only this service has written to."""

import sqlalchemy as sa

from placement.db import tables


def violations(conn):
    """Return a sentence for each violation; there should be none."""
    return [*_wrong_sums(conn), *_overfull(conn), *_stray_consumers(conn), *_wrong_roots(conn)]


def _wrong_sums(conn):
    inventories, allocations = tables.inventories, tables.allocations
    total = (
        sa.select(sa.func.coalesce(sa.func.sum(allocations.c.used), 0))
        .where(
            allocations.c.resource_provider_id == inventories.c.resource_provider_id,
            allocations.c.resource_class_id == inventories.c.resource_class_id,
        )
        .scalar_subquery()
    )
    for inventory_id, used, summed in conn.execute(
        sa.select(inventories.c.id, inventories.c.used, total).where(inventories.c.used != total)
    ):
        yield f"inventory {inventory_id} says {used} used, its allocations say {summed}"


def _overfull(conn):
    inventories = tables.inventories
    for row in conn.execute(
        sa.select(inventories.c.id, inventories.c.used, inventories.c.capacity).where(
            inventories.c.used > inventories.c.capacity
        )
    ):
        yield f"inventory {row.id} uses {row.used} of {row.capacity}"


def _stray_consumers(conn):
    consumers, allocations = tables.consumers, tables.allocations
    with_allocations = set(conn.scalars(sa.select(allocations.c.consumer_id)))
    existing = set(conn.scalars(sa.select(consumers.c.uuid)))
    for uuid in existing - with_allocations:
        yield f"consumer {uuid} has no allocations"
    for uuid in with_allocations - existing:
        yield f"allocations of {uuid} have no consumer"


def _wrong_roots(conn):
    provider = tables.resource_providers
    parent = provider.alias("parent")
    right = sa.func.coalesce(parent.c.root_provider_id, provider.c.id)
    for row in conn.execute(
        sa.select(provider.c.name, provider.c.root_provider_id)
        .outerjoin(parent, parent.c.id == provider.c.parent_provider_id)
        .where(provider.c.root_provider_id != right)
    ):
        yield f"{row.name} has the root {row.root_provider_id}, its parent has another"
