"""Statements on allocations: what consumers have taken from providers.

The sum in inventories.used is kept by capacity.py, in the same transaction.
"""

import datetime
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import chunks

_allocations = tables.allocations
_consumers = tables.consumers
_providers = tables.resource_providers
_classes = tables.resource_classes


class AllocationRow(NamedTuple):
    """What a consumer has, or shall have, of one class from one provider."""

    consumer_uuid: str
    provider_id: int
    class_id: int
    amount: int


class AllocationOfConsumer(NamedTuple):
    """An allocation as its consumer sees it, with whose the consumer is."""

    provider_uuid: str
    provider_generation: int
    class_name: str
    amount: int
    created_at: datetime.datetime | None
    consumer_generation: int
    project_id: str
    user_id: str
    consumer_type: str | None


class AllocationOnProvider(NamedTuple):
    """An allocation as its provider sees it."""

    consumer_uuid: str
    consumer_generation: int
    class_name: str
    amount: int
    created_at: datetime.datetime | None


_of_consumers = _allocations.c.consumer_id.in_(sa.bindparam("consumer_uuids", expanding=True))

_held_query = sa.select(
    _allocations.c.consumer_id,
    _allocations.c.resource_provider_id,
    _allocations.c.resource_class_id,
    _allocations.c.used,
).where(_of_consumers).with_for_update()

_delete_statement = sa.delete(_allocations).where(_of_consumers)


def held_by(conn, consumer_uuids):
    """Return the AllocationRows of consumers: of locked ones, so that they stay true.

    They are locked as well: another Placement deletes them without locking the consumer.
    """
    return [
        AllocationRow(*row)
        for chunk in chunks(consumer_uuids)
        for row in conn.execute(_held_query, {"consumer_uuids": chunk})
        if row.consumer_id in consumer_uuids
    ]


def insert(conn, rows):
    if rows:
        conn.execute(
            sa.insert(_allocations),
            [
                {
                    "consumer_id": row.consumer_uuid,
                    "resource_provider_id": row.provider_id,
                    "resource_class_id": row.class_id,
                    "used": row.amount,
                }
                for row in rows
            ],
        )


def delete(conn, consumer_uuids):
    """Return how many allocations there were."""
    return sum(
        conn.execute(_delete_statement, {"consumer_uuids": chunk}).rowcount
        for chunk in chunks(consumer_uuids)
    )


def any_on_provider(conn, provider_id):
    query = sa.select(_allocations.c.id).where(_allocations.c.resource_provider_id == provider_id)
    return conn.execute(query.limit(1)).first() is not None


def of_consumer(conn, uuid):
    """Return an AllocationOfConsumer for each provider and class that a consumer takes from.

    Cost: one query.
    """
    query = (
        sa.select(
            _consumers.c.uuid,
            _providers.c.uuid,
            _providers.c.generation,
            _classes.c.name,
            _allocations.c.used,
            _allocations.c.created_at,
            _consumers.c.generation,
            tables.projects.c.external_id,
            tables.users.c.external_id,
            tables.consumer_types.c.name,
        )
        .select_from(_allocations)
        .join(_consumers, _consumers.c.uuid == _allocations.c.consumer_id)
        .join(_providers, _providers.c.id == _allocations.c.resource_provider_id)
        .join(_classes, _classes.c.id == _allocations.c.resource_class_id)
        .join(tables.projects, tables.projects.c.id == _consumers.c.project_id)
        .join(tables.users, tables.users.c.id == _consumers.c.user_id)
        .outerjoin(
            tables.consumer_types, tables.consumer_types.c.id == _consumers.c.consumer_type_id
        )
        .where(_allocations.c.consumer_id == uuid)
        .order_by(_providers.c.id, _classes.c.id)
    )
    return [AllocationOfConsumer(*row[1:]) for row in conn.execute(query) if row[0] == uuid]


def on_provider(conn, provider_id):
    """Return an AllocationOnProvider for each consumer and class that takes from a provider.

    Cost: one query.
    """
    query = (
        sa.select(
            _consumers.c.uuid,
            _consumers.c.generation,
            _classes.c.name,
            _allocations.c.used,
            _allocations.c.created_at,
        )
        .select_from(_allocations)
        .join(_consumers, _consumers.c.uuid == _allocations.c.consumer_id)
        .join(_classes, _classes.c.id == _allocations.c.resource_class_id)
        .where(_allocations.c.resource_provider_id == provider_id)
        .order_by(_consumers.c.id, _classes.c.id)
    )
    return [AllocationOnProvider(*row) for row in conn.execute(query)]
