"""Consumers of one type and their holdings, for comparison with a list from elsewhere."""

import datetime
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql.conditions import row_exists

_allocations = tables.allocations
_consumers = tables.consumers
_providers = tables.resource_providers

# How many rows are read at a time: a cloud may have more consumers than fit into memory.
_ROWS = 5000


class ConsumerRow(NamedTuple):
    """A consumer that has allocations, and when it was last written (naive UTC)."""

    uuid: str
    generation: int
    touched: datetime.datetime | None


class HeldRow(NamedTuple):
    """How much of one class a consumer holds in the tree of one host."""

    consumer_uuid: str
    host_uuid: str
    host_name: str
    class_name: str
    amount: int


def consumers_of_type(conn, type_id):
    """Yield a ConsumerRow for each consumer of a type (None: of no type) with allocations.

    Order: by uuid. Cost: one query, whose rows must be read to the end before the next query.
    """
    query = (
        sa.select(
            _consumers.c.uuid,
            _consumers.c.generation,
            tables.touched(_consumers),
        )
        .where(
            _consumers.c.consumer_type_id.is_not_distinct_from(type_id),
            row_exists(_allocations.c.consumer_id == _consumers.c.uuid),
        )
        .order_by(_consumers.c.uuid)
        .execution_options(yield_per=_ROWS)
    )
    return (ConsumerRow(*row) for row in conn.execute(query))


def held_rows(conn, consumer_uuids):
    """Return the HeldRows of some consumers, by consumer. Cost: one query."""
    host = _providers.alias("host")
    classes = tables.resource_classes
    query = (
        sa.select(
            _allocations.c.consumer_id,
            host.c.uuid,
            host.c.name,
            classes.c.name,
            sa.func.sum(_allocations.c.used),
        )
        .outerjoin(_providers, _providers.c.id == _allocations.c.resource_provider_id)
        .outerjoin(host, host.c.id == _providers.c.root_provider_id)
        .outerjoin(classes, classes.c.id == _allocations.c.resource_class_id)
        .where(_allocations.c.consumer_id.in_(consumer_uuids))
        .group_by(_allocations.c.consumer_id, host.c.uuid, host.c.name, classes.c.name)
        .order_by(_allocations.c.consumer_id, host.c.name, classes.c.name)
    )
    return [HeldRow(*row[:-1], int(row[-1])) for row in conn.execute(query)]
