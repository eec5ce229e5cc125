"""Statements on inventories: what a provider has of each class, and how much is used."""

import ctypes
import datetime
import math
from typing import NamedTuple

import sqlalchemy as sa

from placement import constants
from placement.db import tables
from placement.db.sql import provider_with
from placement.db.sql.conditions import is_one_of

_inventories = tables.inventories
_classes = tables.resource_classes


class InventoryRow(NamedTuple):
    """What a provider has of one class; amounts in units of the class."""

    resource_class: str
    total: int
    reserved: int
    min_unit: int
    max_unit: int
    step_size: int
    allocation_ratio: float
    touched: datetime.datetime | None


class StockedClass(NamedTuple):
    """A class that a provider has an inventory of, and how much of it is used."""

    class_id: int
    resource_class: str
    used: int


_of_provider_query = provider_with.query(
    (
        _classes.c.name,
        *(_inventories.c[field] for field in InventoryRow._fields[1:-1]),
        sa.func.coalesce(_inventories.c.updated_at, _inventories.c.created_at),
    ),
    (_inventories, _inventories.c.resource_provider_id == tables.resource_providers.c.id),
    (_classes, _classes.c.id == _inventories.c.resource_class_id),
).order_by(_classes.c.id)

_stocked_query = (
    sa.select(_classes.c.id, _classes.c.name, _inventories.c.used)
    .join(_inventories, _inventories.c.resource_class_id == _classes.c.id)
    .where(_inventories.c.resource_provider_id == sa.bindparam("provider_id"))
    .order_by(_classes.c.id)
)


def of_provider(conn, provider_uuid):
    """Return the Holding of InventoryRows of a provider, standard classes first; or None.

    Cost: one statement.
    """
    return provider_with.find(conn, _of_provider_query, provider_uuid, InventoryRow)


def stocked(conn, provider_id):
    """Return a StockedClass for each inventory of a provider, standard classes first.

    Cost: one statement.
    """
    rows = conn.execute(_stocked_query, {"provider_id": provider_id})
    return [StockedClass(*row) for row in rows]


def as_stored(conn, ratio):
    """Return the allocation_ratio that will be read when this one has been written.

    MySQL keeps single precision, and shows six digits of it.
    """
    if conn.dialect.name != "mysql":
        return ratio
    return float(f"{ctypes.c_float(ratio).value:.6g}")


def capacity_at(total, reserved, ratio):
    """Return the capacity of an inventory at an allocation_ratio.

    It is (total - reserved) * ratio, truncated toward zero and limited to the column's range.
    """
    capacity = math.trunc((total - reserved) * ratio)
    return max(-constants.MAX_CAPACITY, min(capacity, constants.MAX_CAPACITY))


def capacities_at(conn, class_id, ratio):
    """Return {provider_id: capacity} of all that offer a class, if it had this allocation_ratio.

    Cost: one query.
    """
    query = sa.select(
        _inventories.c.resource_provider_id, _inventories.c.total, _inventories.c.reserved
    ).where(_inventories.c.resource_class_id == class_id)
    stored = as_stored(conn, ratio)
    return {
        provider_id: capacity_at(total, reserved, stored)
        for provider_id, total, reserved in conn.execute(query)
    }


class Reserve(NamedTuple):
    """What is reserved of an inventory, and its capacity if nothing were reserved."""

    reserved: int
    used: int
    capacity_without_reserve: int


def reserves(conn, provider_ids, class_ids):
    """Return {(provider_id, class_id): Reserve} for the inventories that reserve something.

    Cost: one query.
    """
    query = sa.select(
        _inventories.c.resource_provider_id,
        _inventories.c.resource_class_id,
        _inventories.c.reserved,
        _inventories.c.used,
        _inventories.c.total,
        _inventories.c.allocation_ratio,
    ).where(
        is_one_of(_inventories.c.resource_provider_id, provider_ids),
        is_one_of(_inventories.c.resource_class_id, class_ids),
        _inventories.c.reserved > 0,
    )
    return {
        (provider_id, class_id): Reserve(reserved, used, capacity_at(total, 0, ratio))
        for provider_id, class_id, reserved, used, total, ratio in conn.execute(query)
    }


def insert(conn, provider_id, values_by_class_id):
    """Add inventories: {class_id: {column: value}}.

    Raises: DBDuplicateEntry when the provider has one of the classes already.
    """
    rows = [
        {"resource_provider_id": provider_id, "resource_class_id": class_id, "used": 0, **values}
        for class_id, values in values_by_class_id.items()
    ]
    if rows:
        conn.execute(sa.insert(_inventories), rows)


def update(conn, provider_id, values_by_class_id):
    """Replace inventories that the provider has: {class_id: {column: value}}."""
    if not values_by_class_id:
        return
    columns = next(iter(values_by_class_id.values()))
    statement = (
        sa.update(_inventories)
        .where(
            _inventories.c.resource_provider_id == provider_id,
            _inventories.c.resource_class_id == sa.bindparam("of_class"),
        )
        .values({name: sa.bindparam(name) for name in columns})
    )
    conn.execute(
        statement,
        [{"of_class": class_id, **values} for class_id, values in values_by_class_id.items()],
    )


def delete_without_class(conn):
    """Remove the inventories of classes that do not exist, unless they have allocations.

    Return how many there were. Cost: one statement.
    """
    allocations = tables.allocations
    has_class = sa.exists().where(_classes.c.id == _inventories.c.resource_class_id)
    has_allocations = sa.exists().where(
        allocations.c.resource_provider_id == _inventories.c.resource_provider_id,
        allocations.c.resource_class_id == _inventories.c.resource_class_id,
    )
    return conn.execute(sa.delete(_inventories).where(~has_class, ~has_allocations)).rowcount


def delete(conn, provider_id, class_ids):
    """Remove inventories of a provider."""
    if class_ids:
        conn.execute(
            sa.delete(_inventories).where(
                _inventories.c.resource_provider_id == provider_id,
                is_one_of(_inventories.c.resource_class_id, class_ids),
            )
        )
