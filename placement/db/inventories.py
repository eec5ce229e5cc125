"""SQL statements for inventories: what a provider has of each class, and how much is used."""

import ctypes
import datetime
import math
from typing import NamedTuple

import sqlalchemy as sa

from placement import constants
from placement.db import tables
from placement.db.chunks import MAX_CONDITIONS, chunks
from placement.db.sql import prepared, provider_with
from placement.db.sql.conditions import are_near, is_one_of
from placement.db.sql.prepared import Prepared

_inventories = tables.inventories
_classes = tables.resource_classes


class InventoryRow(NamedTuple):
    """What a provider has of one class, in units of that class."""

    resource_class: str
    total: int
    reserved: int
    min_unit: int
    max_unit: int
    step_size: int
    allocation_ratio: float
    touched: datetime.datetime | None


class StockedClass(NamedTuple):
    """An inventory with its class, and how much of it is used."""

    class_id: int
    resource_class: str
    used: int
    total: int
    reserved: int
    min_unit: int
    max_unit: int
    step_size: int
    allocation_ratio: float


_of_provider_query = provider_with.query(
    (
        _classes.c.name,
        *(_inventories.c[field] for field in InventoryRow._fields[1:-1]),
        tables.touched(_inventories),
    ),
    (_inventories, _inventories.c.resource_provider_id == tables.resource_providers.c.id),
    (_classes, _classes.c.id == _inventories.c.resource_class_id),
).order_by(_classes.c.id)

_stocked_query = Prepared(
    lambda: (
        sa.select(
            _classes.c.id,
            _classes.c.name,
            *(_inventories.c[field] for field in StockedClass._fields[2:]),
        )
        .join(_inventories, _inventories.c.resource_class_id == _classes.c.id)
        .where(_inventories.c.resource_provider_id == sa.bindparam("provider_id"))
        .order_by(_classes.c.id)
    )
)


def of_provider(conn, provider_uuid):
    """Return a Holding of a provider's InventoryRows; None if there is no such provider.

    Standard classes come first.
    Cost: one statement.
    """
    return provider_with.find(conn, _of_provider_query, provider_uuid, make=InventoryRow)


def stocked(conn, provider_id):
    """Return a StockedClass for each inventory of a provider, standard classes first.

    Cost: one statement.
    """
    rows = _stocked_query.execute(conn, {"provider_id": provider_id})
    return [StockedClass(*row) for row in rows]


def as_stored(conn, ratio):
    """Return the allocation_ratio that will be read back after `ratio` has been written.

    MySQL keeps single precision, and returns six digits of the number.
    """
    if conn.dialect.name != "mysql":
        return ratio
    return float(f"{ctypes.c_float(ratio).value:.6g}")


def capacity_at(total, reserved, ratio):
    """Return the capacity of an inventory at an allocation_ratio.

    That is (total - reserved) * ratio, truncated toward zero and limited to the column's range.
    """
    capacity = math.trunc((total - reserved) * ratio)
    return max(-constants.MAX_CAPACITY, min(capacity, constants.MAX_CAPACITY))


def capacities_at(conn, provider_ids, class_id, ratio):
    """Return {provider_id: capacity} of a class, as if its inventories had this allocation_ratio.

    The result may include other providers, too.
    Cost: one query.
    """
    query = sa.select(
        _inventories.c.resource_provider_id, _inventories.c.total, _inventories.c.reserved
    ).where(
        _inventories.c.resource_class_id == class_id,
        are_near(_inventories.c.resource_provider_id, sorted(provider_ids)),
    )
    stored = as_stored(conn, ratio)
    return {
        provider_id: capacity_at(total, reserved, stored)
        for provider_id, total, reserved in conn.execute(query)
    }


def capacities(conn, class_ids):
    """Return {class_id: sum of all providers' capacities}; classes without capacity are missing.

    A capacity below 0 does not count: it takes nothing away from other providers.
    Cost: one query.
    """
    query = (
        sa.select(_inventories.c.resource_class_id, sa.func.sum(_inventories.c.capacity))
        .where(
            is_one_of(_inventories.c.resource_class_id, class_ids), _inventories.c.capacity > 0
        )
        .group_by(_inventories.c.resource_class_id)
    )
    return {class_id: int(capacity) for class_id, capacity in conn.execute(query)}


class Reserve(NamedTuple):
    """The reserved amount of an inventory, and what would be free if nothing were reserved."""

    reserved: int
    free_without_reserve: int


def reserves(conn, provider_ids, class_ids):
    """Return {(provider_id, class_id): Reserve} for the inventories with a reserved amount.

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
        (provider_id, class_id): Reserve(
            reserved, free_without_reserve=capacity_at(total, reserved=0, ratio=ratio) - used
        )
        for provider_id, class_id, reserved, used, total, ratio in conn.execute(query)
    }


def insert(conn, provider_id, values_by_class_id):
    """Add inventories: {class_id: {column: value}}.

    Raises: DBDuplicateEntry when the provider has one of the classes already.
    """
    if values_by_class_id:
        names, rows = _columns_and_rows(values_by_class_id)
        # Nothing is used yet.
        rows = [(provider_id, 0, *row) for row in rows]
        prepared.insert(conn, _inventories, ("resource_provider_id", "used", *names), rows)


def update(conn, provider_id, values_by_class_id):
    """Replace inventories that the provider has: {class_id: {column: value}}.

    Cost: one statement for each chunk.
    """
    if values_by_class_id:
        names, rows = _columns_and_rows(values_by_class_id)
        given = {"provider_id": provider_id, "now": prepared.now()}
        for chunk in map(prepared.padded, chunks(rows, MAX_CONDITIONS)):
            statement = _update_statement(names, len(chunk))
            statement.execute(conn, given | prepared.values(chunk, *names))


def _columns_and_rows(values_by_class_id):
    """Return the names of the columns, `resource_class_id` first, and a row of values per class.

    In {class_id: {column: value}}, all classes have the same columns, in the same order.
    """
    names = next(iter(values_by_class_id.values()))
    rows = [(class_id, *values.values()) for class_id, values in values_by_class_id.items()]
    return ("resource_class_id", *names), rows


@prepared.for_each_shape
def _update_statement(names, count):
    """Return the UPDATE of `count` inventories of a provider; names[0] is the column of the class.

    It sets each of the other columns to a CASE, which has one value for each class.
    """
    class_ids, *values = zip(*_parameters(names, count), strict=True)
    is_of = [_inventories.c.resource_class_id == class_id for class_id in class_ids]
    return (
        sa.update(_inventories)
        .where(
            _inventories.c.resource_provider_id == sa.bindparam("provider_id"), sa.or_(*is_of)
        )
        .values(
            updated_at=sa.bindparam("now"),
            **{
                name: sa.case(*zip(is_of, new, strict=True))
                for name, new in zip(names[1:], values, strict=True)
            },
        )
    )


def _parameters(names, count):
    """Return `count` lists of bound parameters, one for each row, with a parameter for each name.

    They have the types of their columns, because in a CASE nothing else tells the type.
    """
    return [
        [sa.bindparam(f"{name}_{number}", type_=_inventories.c[name].type) for name in names]
        for number in range(count)
    ]


def delete_without_class(conn):
    """Remove inventories of classes that do not exist, unless something is allocated from them.

    Return how many were removed. Cost: one statement.
    """
    allocations = tables.allocations
    has_class = sa.exists().where(_classes.c.id == _inventories.c.resource_class_id)
    has_allocations = sa.exists().where(
        allocations.c.resource_provider_id == _inventories.c.resource_provider_id,
        allocations.c.resource_class_id == _inventories.c.resource_class_id,
    )
    return conn.execute(sa.delete(_inventories).where(~has_class, ~has_allocations)).rowcount


def delete(conn, provider_id, class_ids):
    """Remove a provider's inventories of some classes."""
    if class_ids:
        conn.execute(
            sa.delete(_inventories).where(
                _inventories.c.resource_provider_id == provider_id,
                is_one_of(_inventories.c.resource_class_id, class_ids),
            )
        )
