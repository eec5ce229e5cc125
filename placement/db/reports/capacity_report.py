"""How full the cloud is: sums over inventories, computed by the database.

An inventory of a class that does not exist is not counted.
"""

import functools
import operator
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import functions

from placement import constants
from placement.db import names_and_ids, tables
from placement.db.sql import packed_rows
from placement.db.sql.conditions import is_one_of_given, is_root

_inventories = tables.inventories
_providers = tables.resource_providers
_classes = tables.resource_classes
_aggregates = tables.aggregates
_members = tables.resource_provider_aggregates
_traits = tables.traits
_held_traits = tables.resource_provider_traits

_free = _inventories.c.capacity - _inventories.c.used
_of_class = _inventories.c.resource_class_id == _classes.c.id


class Sum(NamedTuple):
    """What the providers of a group offer of one class, in the units of that class.

    group         the name of the group; None for all providers
    capacity      at most constants.MAX_CAPACITY, even if the capacities add up to more
    providers     how many offer the class
    full          how many of these have nothing left
    largest_free  the most that one of them has left
    """

    group: str | None
    class_name: str
    total: int
    reserved: int
    capacity: int
    used: int
    providers: int
    full: int
    largest_free: int


class NamedInventory(NamedTuple):
    """What one provider offers of one class. These tuples sort by `id`, the id of the inventory."""

    id: int
    provider_name: str
    class_name: str
    total: int
    reserved: int
    allocation_ratio: float
    used: int


class Fill(NamedTuple):
    """How much of an inventory is used; those with neither capacity nor usage are left out."""

    uuid: str
    name: str
    class_name: str
    capacity: int
    used: int


class _LargeSum(functions.FunctionElement):
    """A sum that may exceed 64 bits (in SQLite, it is then exact to only 53 bits)."""

    type = sa.BigInteger()
    inherit_cache = True


@compiles(_LargeSum)
def _sum(element, compiler, **options):
    return compiler.process(sa.func.sum(*element.clauses), **options)


@compiles(_LargeSum, "sqlite")
def _total(element, compiler, **options):
    return compiler.process(sa.func.total(*element.clauses), **options)


# The fields of a Sum, from `total` on.
_numbers = (
    sa.func.sum(_inventories.c.total),
    sa.func.sum(_inventories.c.reserved),
    _LargeSum(_inventories.c.capacity),
    sa.func.sum(_inventories.c.used),
    sa.func.count(),
    sa.func.sum(sa.case((_free <= 0, 1), else_=0)),
    sa.func.max(sa.case((_free > 0, _free), else_=0)),
)

_class_query = (
    sa.select(_classes.c.name, *_numbers)
    .select_from(_inventories)
    .join(_classes, _of_class)
    .group_by(_classes.c.id, _classes.c.name)
    .order_by(_classes.c.id)
)


def _links(link, group_id):
    """Select (provider_id, group_id) from a table that says which provider is in which group."""
    return sa.select(
        link.c.resource_provider_id.label("provider_id"), group_id.label("group_id")
    )


# A provider below a root counts in the aggregates of the root, too.
_in_aggregates = sa.union(
    _links(_members, _members.c.aggregate_id),
    sa.select(_providers.c.id, _members.c.aggregate_id)
    .join(_members, _members.c.resource_provider_id == _providers.c.root_provider_id)
    .where(_providers.c.parent_provider_id.is_not(None)),
)


class _Grouping(NamedTuple):
    """A subquery that says which provider counts in which group, and the groups' names."""

    links: sa.Subquery
    name: sa.Column


# The groupings in which a provider can be in several groups.
_GROUPINGS = {
    "aggregate": _Grouping(_in_aggregates.subquery(), _aggregates.c.uuid),
    "trait": _Grouping(_links(_held_traits, _held_traits.c.trait_id).subquery(), _traits.c.name),
}
# Without groups: the sums of each class over all providers.
BY_CLASS = "class"
GROUPINGS = (BY_CLASS, *_GROUPINGS)


@functools.cache
def _sets_query(by, dialect_name):
    """Select (class_id, text of group ids, *_numbers) for each set of groups.

    The numbers are sums over the providers that are in exactly these groups. There are few such
    sets, because most hosts are alike.
    by: "aggregate" or "trait", which are the kinds of groups
    """
    links = _GROUPINGS[by].links
    group_id = links.c.group_id
    # MySQL would pack the ids in any order, so equal sets could become different texts.
    text = packed_rows.of_rows(group_id, order_by=group_id if dialect_name == "mysql" else None)
    sets = (
        sa.select(links.c.provider_id, text.label("group_ids"))
        .group_by(links.c.provider_id)
        .subquery()
    )
    return (
        sa.select(_inventories.c.resource_class_id, sets.c.group_ids, *_numbers)
        .join(sets, sets.c.provider_id == _inventories.c.resource_provider_id)
        .group_by(sets.c.group_ids, _inventories.c.resource_class_id)
    )


# The rows are limited before they are joined. Otherwise MariaDB would begin with the providers,
# look up the inventories of each, and sort all that it has joined.
_fullest = (
    sa.select(
        _inventories.c.id,
        _inventories.c.resource_provider_id,
        _inventories.c.resource_class_id,
        _inventories.c.capacity,
        _inventories.c.used,
        # With a capacity of 0, each unit that is used counts as 100 %.
        sa.case(
            (_inventories.c.capacity > 0, _inventories.c.used * 1.0 / _inventories.c.capacity),
            else_=_inventories.c.used * 1.0,
        ).label("share"),
    )
    .where(
        sa.or_(_inventories.c.capacity > 0, _inventories.c.used > 0),
        is_one_of_given(_inventories.c.resource_class_id, "class_ids"),
    )
    .order_by(sa.desc("share"), _inventories.c.id)
    .limit(sa.bindparam("top"))
    .subquery()
)

_fullest_query = (
    sa.select(
        _providers.c.uuid,
        _providers.c.name,
        _fullest.c.resource_class_id,
        _fullest.c.capacity,
        _fullest.c.used,
    )
    .join(_fullest, _fullest.c.resource_provider_id == _providers.c.id)
    .order_by(_fullest.c.share.desc(), _fullest.c.id)
)

# The most inventories in memory at a time.
_BATCH = 2000

# The rows are limited before they are joined. Otherwise MariaDB would begin with the classes, and
# sort all inventories for each batch.
_batch = (
    sa.select(_inventories)
    .where(_inventories.c.id > sa.bindparam("after"))
    .order_by(_inventories.c.id)
    .limit(sa.bindparam("batch"))
    .subquery()
)

_inventories_query = (
    sa.select(
        _batch.c.id,
        _providers.c.name,
        _classes.c.name,
        _batch.c.total,
        _batch.c.reserved,
        _batch.c.allocation_ratio,
        _batch.c.used,
    )
    .outerjoin(_providers, _providers.c.id == _batch.c.resource_provider_id)
    .outerjoin(_classes, _classes.c.id == _batch.c.resource_class_id)
    .order_by(_batch.c.id)
)

_hosts_query = sa.select(sa.func.count()).where(is_root(_providers))


def sums(conn, by):
    """Return the Sums of each class, over all providers or group by group.

    `by` is one of GROUPINGS. A provider counts in each of its own aggregates, in those of its root,
    and in the group of each of its own traits.
    Cost: one query by class; three by aggregate or trait.
    """
    if by == BY_CLASS:
        return [
            _sum_of(None, class_name, map(int, numbers))
            for class_name, *numbers in conn.execute(_class_query)
        ]
    # (group_id, class_id) -> the numbers of a Sum, added up over all sets that contain the group.
    numbers_by_key = {}
    for class_id, group_ids, *numbers in conn.execute(_sets_query(by, conn.dialect.name)):
        numbers = tuple(map(int, numbers))
        for group_id in packed_rows.rows_of(group_ids):
            key = int(group_id), class_id
            before = numbers_by_key.get(key)
            numbers_by_key[key] = numbers if before is None else _together(before, numbers)
    group_names = names_and_ids.all_by_id(conn, _GROUPINGS[by].name)
    class_names = names_and_ids.all_by_id(conn, _classes.c.name)
    return [
        _sum_of(group_names[group_id], class_names[class_id], numbers)
        for (group_id, class_id), numbers in sorted(numbers_by_key.items())
        if group_id in group_names and class_id in class_names
    ]


def _sum_of(group, class_name, numbers):
    """Return the Sum with these _numbers."""
    made = Sum(group, class_name, *numbers)
    return made._replace(capacity=min(made.capacity, constants.MAX_CAPACITY))


def _together(some, others):
    """Combine the _numbers of two parts of a group: the last is a maximum, the others are sums."""
    return *map(operator.add, some[:-1], others[:-1]), max(some[-1], others[-1])


def fullest(conn, top):
    """Return the Fills of the `top` inventories with the largest share used. Cost: two queries."""
    class_names = names_and_ids.all_by_id(conn, _classes.c.name)
    rows = conn.execute(_fullest_query, {"top": top, "class_ids": list(class_names)})
    return [
        Fill(uuid, name, class_names[class_id], *amounts)
        for uuid, name, class_id, *amounts in rows
    ]


def inventories(conn):
    """Yield lists of all NamedInventories, in the order of their ids.

    Cost: one query for each list.
    """
    after = 0
    while rows := conn.execute(_inventories_query, {"after": after, "batch": _BATCH}).all():
        after = rows[-1].id
        # Inventories whose provider or class does not exist are left out here and not in SQL, where
        # a batch with no other inventories would look like the end.
        yield [NamedInventory(*row) for row in rows if None not in row[1:3]]


def host_count(conn):
    """Return the number of root providers."""
    return conn.scalar(_hosts_query)
