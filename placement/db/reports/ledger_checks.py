"""Find rows that break the rules of the tables, with one statement for each check.

Each row that is found is a finding. Some findings are shown as examples: {name: string or
integer}.
"""

import datetime
from typing import NamedTuple

import os_traits
import sqlalchemy as sa

from placement import constants
from placement.db import tables
from placement.db.names_and_ids import NAMED
from placement.db.reports import empty_consumers
from placement.db.sql.conditions import is_one_of
from placement.db.subjects_of_names import Subject

_allocations = tables.allocations
_classes = tables.resource_classes
_consumers = tables.consumers
_inventories = tables.inventories
_providers = tables.resource_providers
_traits = tables.traits


class Counted(NamedTuple):
    """How many findings there are, and the first of them as examples."""

    count: int
    examples: list[dict]


def counted(conn, query, *order, count=None):
    """Return the Counted of a query, whose rows are the examples: {name of a column: value}.

    order: the columns by which the examples are sorted; only the first examples are returned
    count: the column whose sum is the count; None to count the rows
    """
    count = sa.func.count().over() if count is None else sa.func.sum(count).over()
    query = query.add_columns(count.label("count")).order_by(*order).limit(constants.MOST_EXAMPLES)
    examples = [_shown(row) for row in conn.execute(query).mappings()]
    counts = [int(example.pop("count")) for example in examples]
    return Counted(counts[0] if counts else 0, examples)


def _shown(row):
    # SQLAlchemy's names of columns are not plain strings, and JSON would refuse them.
    return {str(name): _plain(value) for name, value in row.items()}


def _plain(value):
    """Return a time, which is in UTC, as a string; return other values as they are."""
    return f"{value.isoformat()}Z" if isinstance(value, datetime.datetime) else value


_provider_columns = (_providers.c.uuid.label("provider_uuid"), _providers.c.name.label("provider"))


def _with_names(rows, provider_id, class_id):
    """Join rows with their provider and class, either of which may not exist."""
    return rows.outerjoin(_providers, _providers.c.id == provider_id).outerjoin(
        _classes, _classes.c.id == class_id
    )


_named_inventories = _with_names(
    _inventories, _inventories.c.resource_provider_id, _inventories.c.resource_class_id
)


def inventory_names(conn, inventory_ids):
    """Return {inventory_id: {"provider_uuid": ..., "provider": ..., "resource_class": ...}}.

    Cost: one query.
    """
    query = (
        sa.select(
            _inventories.c.id, *_provider_columns, _classes.c.name.label("resource_class")
        )
        .select_from(_named_inventories)
        .where(is_one_of(_inventories.c.id, inventory_ids))
    )
    return {row.pop("id"): row for row in map(_shown, conn.execute(query).mappings())}


def provider_names(conn, provider_ids):
    """Return {provider_id: {"provider_uuid": ..., "provider": ...}} of those that exist.

    Cost: one query.
    """
    query = sa.select(_providers.c.id, *_provider_columns).where(
        is_one_of(_providers.c.id, provider_ids)
    )
    return {row.pop("id"): row for row in map(_shown, conn.execute(query).mappings())}


def capacity_exceeded(conn):
    """Find inventories whose usage exceeds their capacity."""
    query = (
        sa.select(
            *_provider_columns,
            _classes.c.name.label("resource_class"),
            _inventories.c.used,
            _inventories.c.capacity,
        )
        .select_from(_named_inventories)
        .where(_inventories.c.used > _inventories.c.capacity, _inventories.c.used > 0)
    )
    return counted(conn, query, _inventories.c.id)


def units_violated(conn):
    """Find allocations whose amount the units of the inventory would refuse today."""
    amount = _allocations.c.used
    # NULL for a step of 0, which would make the statement fail. No client can have stored a 0.
    step = sa.func.nullif(_inventories.c.step_size, 0)
    query = (
        sa.select(
            _allocations.c.consumer_id.label("consumer_uuid"),
            *_provider_columns,
            _classes.c.name.label("resource_class"),
            amount.label("amount"),
            _inventories.c.min_unit,
            _inventories.c.max_unit,
            _inventories.c.step_size,
        )
        .select_from(
            _named_inventories.join(
                _allocations,
                (_allocations.c.resource_provider_id == _inventories.c.resource_provider_id)
                & (_allocations.c.resource_class_id == _inventories.c.resource_class_id),
            )
        )
        .where(
            sa.or_(
                amount < _inventories.c.min_unit,
                amount > _inventories.c.max_unit,
                amount % step != 0,
            )
        )
        .with_hint(_allocations, *tables.PROVIDER_AND_CLASS_HINT)
    )
    return counted(conn, query, _allocations.c.id)


def allocation_without_consumer(conn):
    """Find allocations of consumers that have no row of their own."""
    query = (
        sa.select(
            _allocations.c.consumer_id.label("consumer_uuid"),
            *_provider_columns,
            _classes.c.name.label("resource_class"),
            _allocations.c.used.label("amount"),
        )
        .select_from(
            _with_names(
                _allocations, _allocations.c.resource_provider_id, _allocations.c.resource_class_id
            ).outerjoin(_consumers, _consumers.c.uuid == _allocations.c.consumer_id)
        )
        .where(_consumers.c.id.is_(None))
    )
    return counted(conn, query, _allocations.c.id)


def allocation_without_inventory(conn):
    """Find allocations of a class that their provider lacks.

    An example is a provider and a class, with the number of such allocations.
    """
    # The rows are grouped first, so that only their index is read, and few groups are looked up.
    taken = (
        sa.select(
            _allocations.c.resource_provider_id.label("provider_id"),
            _allocations.c.resource_class_id.label("class_id"),
            sa.func.count().label("allocations"),
        )
        .group_by(_allocations.c.resource_provider_id, _allocations.c.resource_class_id)
        .with_hint(_allocations, *tables.PROVIDER_AND_CLASS_HINT)
        .subquery()
    )
    query = (
        sa.select(
            *_provider_columns, _classes.c.name.label("resource_class"), taken.c.allocations
        )
        .select_from(
            _with_names(taken, taken.c.provider_id, taken.c.class_id).outerjoin(
                _inventories,
                (_inventories.c.resource_provider_id == taken.c.provider_id)
                & (_inventories.c.resource_class_id == taken.c.class_id),
            )
        )
        .where(_inventories.c.id.is_(None))
    )
    order = taken.c.provider_id, taken.c.class_id
    return counted(conn, query, *order, count=taken.c.allocations)


def inventory_without_class(conn):
    """Find inventories of a class that does not exist."""
    query = (
        sa.select(
            *_provider_columns,
            _inventories.c.resource_class_id.label("resource_class_id"),
            _inventories.c.used,
        )
        .select_from(_named_inventories)
        .where(_classes.c.id.is_(None))
    )
    return counted(conn, query, _inventories.c.id)


def consumer_without_allocations(conn, before):
    """Find consumers without allocations that have not changed since a moment (naive UTC)."""
    query = empty_consumers.select(before).with_only_columns(
        _consumers.c.uuid.label("consumer_uuid")
    )
    return counted(conn, query, _consumers.c.id)


# The Subjects whose names are created when a client first uses them. For each, the column that
# refers to the names.
_REFERRING = {
    Subject.PROJECTS: _consumers.c.project_id,
    Subject.USERS: _consumers.c.user_id,
    Subject.CONSUMER_TYPES: _consumers.c.consumer_type_id,
    Subject.AGGREGATES: tables.resource_provider_aggregates.c.aggregate_id,
}
# Every column that has names.
_NAMES = (
    _providers.c.name,
    _classes.c.name,
    _traits.c.name,
    tables.consumer_types.c.name,
    tables.projects.c.external_id,
    tables.users.c.external_id,
    tables.aggregates.c.uuid,
)


def unused(conn, subject):
    """Find the unused names of projects, users, consumer types or aggregates."""
    used = sa.select(_REFERRING[subject].label("id")).distinct().subquery()
    name, key = NAMED[subject]
    query = (
        sa.select(name.label("name"))
        .select_from(name.table.outerjoin(used, used.c.id == key))
        .where(used.c.id.is_(None))
    )
    return counted(conn, query, key)


def duplicate_names(conn):
    """Find names of one Subject that are equal, or differ only in case."""
    duplicates = sa.union_all(*map(_duplicates, _NAMES)).subquery()
    query = sa.select(duplicates.c.table, duplicates.c.name, duplicates.c.rows)
    return counted(conn, query, duplicates.c.table, duplicates.c.name)


def _duplicates(column):
    """Select (table, name in lower case, number of rows) of names that several rows have."""
    name, rows = sa.func.lower(column), sa.func.count()
    table = sa.literal(str(column.table.name), literal_execute=True)
    query = sa.select(table.label("table"), name.label("name"), rows.label("rows"))
    # Without this hint, MariaDB would put the names into a table on disk, row by row, which takes
    # 75 s for a million of them. With it, MariaDB sorts them in 4 s.
    query = query.prefix_with("SQL_BIG_RESULT", dialect="mysql")
    return query.where(column.is_not(None)).group_by(name).having(rows > 1)


def unknown_standard_traits(conn):
    """Find traits that are not custom and not in os-traits."""
    query = sa.select(_traits.c.name).order_by(_traits.c.id)
    known = set(os_traits.get_traits())
    unknown = [
        {"name": name}
        for name in conn.scalars(query)
        if name not in known and not os_traits.is_custom(name)
    ]
    return Counted(len(unknown), unknown[:constants.MOST_EXAMPLES])
