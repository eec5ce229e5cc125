"""SQL statements for allocations: what consumers have taken from providers.

In the same transaction, taking_capacity.py changes the sum in inventories.used.
"""

import datetime
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import MAX_CONDITIONS, chunks
from placement.db.sql import complete_rows, consumer_owners, prepared, provider_with
from placement.db.sql.complete_rows import IS_COMPLETE

_allocations = tables.allocations
_consumers = tables.consumers
_providers = tables.resource_providers
_classes = tables.resource_classes


class AllocationRow(NamedTuple):
    """The amount of one class that a consumer holds, or will hold, on one provider."""

    consumer_uuid: str
    provider_id: int
    class_id: int
    amount: int


class StoredAllocation(NamedTuple):
    """An AllocationRow that is stored, with the names of its provider and its class."""

    consumer_uuid: str
    provider_id: int
    class_id: int
    amount: int
    provider_uuid: str
    class_name: str | None


class AllocationOfConsumer(NamedTuple):
    """An allocation as its consumer sees it, with the owner of the consumer."""

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


def held_by(conn, consumer_uuids):
    """Lock and return the StoredAllocations of consumers that the caller has locked.

    The allocations need locks of their own: another Placement deletes them without locking their
    consumer.
    consumer_uuids: a set
    Cost: one query for each chunk of consumers.
    """
    return [
        StoredAllocation(*row)
        for uuids in _chunks(consumer_uuids)
        for row in complete_rows.checked(_held_query(len(uuids)).execute(conn, _bound(uuids)))
        # A database may ignore case; the API does not.
        if row[0] in consumer_uuids
    ]


def insert(conn, rows):
    """Add AllocationRows. Cost: one statement for each chunk."""
    names = ("consumer_id", "resource_provider_id", "resource_class_id", "used")
    prepared.insert(conn, _allocations, names, rows)


def delete(conn, consumer_uuids):
    """Remove all allocations of consumers. Return how many there were.

    Cost: one statement for each chunk of consumers.
    """
    return sum(
        _delete_statement(len(uuids)).execute(conn, _bound(uuids)).rowcount
        for uuids in _chunks(consumer_uuids)
    )


@prepared.for_each_shape
def _held_query(count):
    """Select what `count` consumers hold, as the columns of a StoredAllocation; lock these rows."""
    return (
        sa.select(
            _allocations.c.consumer_id,
            _allocations.c.resource_provider_id,
            _allocations.c.resource_class_id,
            _allocations.c.used,
            # These are subqueries because the rows of joined tables would be locked, too.
            sa.select(_providers.c.uuid)
            .where(_providers.c.id == _allocations.c.resource_provider_id)
            .scalar_subquery(),
            sa.select(_classes.c.name)
            .where(_classes.c.id == _allocations.c.resource_class_id)
            .scalar_subquery(),
            IS_COMPLETE,
        )
        .where(_is_of_consumers(count))
        .with_for_update()
    )


@prepared.for_each_shape
def _delete_statement(count):
    return sa.delete(_allocations).where(_is_of_consumers(count))


def _is_of_consumers(count):
    return _allocations.c.consumer_id.in_(
        [uuid for (uuid,) in prepared.numbered(count, "consumer_uuid")]
    )


def _chunks(consumer_uuids):
    """Yield the uuids in lists of only a few lengths, because each length is another statement."""
    return map(prepared.padded, chunks(consumer_uuids, MAX_CONDITIONS))


def _bound(consumer_uuids):
    """Return the parameters for the uuids of consumers, which _is_of_consumers binds."""
    return prepared.values(zip(consumer_uuids), "consumer_uuid")


_of_consumer_query = consumer_owners.joined(
    sa.select(
        _consumers.c.uuid,
        _providers.c.uuid,
        _providers.c.generation,
        _classes.c.name,
        _allocations.c.used,
        _allocations.c.created_at,
        _consumers.c.generation,
        consumer_owners.PROJECT,
        consumer_owners.USER,
        consumer_owners.TYPE,
    )
    .select_from(_allocations)
    .join(_consumers, _consumers.c.uuid == _allocations.c.consumer_id)
    .join(_providers, _providers.c.id == _allocations.c.resource_provider_id)
    .join(_classes, _classes.c.id == _allocations.c.resource_class_id)
    .where(_allocations.c.consumer_id == sa.bindparam("consumer_uuid"))
    .order_by(_providers.c.id, _classes.c.id)
)


def of_consumer(conn, uuid):
    """Return an AllocationOfConsumer for each allocation that a consumer has.

    Cost: one query.
    """
    rows = conn.execute(_of_consumer_query, {"consumer_uuid": uuid})
    # A database may ignore case; the API does not.
    return [AllocationOfConsumer(*row[1:]) for row in rows if row[0] == uuid]


_on_provider_query = provider_with.query(
    (
        _consumers.c.uuid,
        _consumers.c.generation,
        _classes.c.name,
        _allocations.c.used,
        _allocations.c.created_at,
    ),
    (_allocations, _allocations.c.resource_provider_id == _providers.c.id),
    (_classes, _classes.c.id == _allocations.c.resource_class_id),
    (
        _consumers,
        sa.and_(_consumers.c.uuid == _allocations.c.consumer_id, _classes.c.id.is_not(None)),
    ),
).order_by(_consumers.c.id, _classes.c.id)


def on_provider(conn, provider_uuid):
    """Return a Holding with an AllocationOnProvider for each allocation from a provider.

    Return None if there is no such provider.
    Cost: one query.
    """
    return provider_with.find(
        conn, _on_provider_query, provider_uuid, make=AllocationOnProvider
    )
