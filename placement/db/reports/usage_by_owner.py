"""How much of the whole cloud each project, or each type of consumer, uses: sums over allocations.

An allocation without a record of its consumer is not counted; the audit finds such allocations.
"""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.consumers import shown_type

_allocations = tables.allocations
_classes = tables.resource_classes
_consumers = tables.consumers


class _OwnerColumns(NamedTuple):
    """The columns with the owners' names and ids, and the one of consumers that has these ids."""

    name: sa.Column
    id: sa.Column
    reference: sa.Column


_OWNERS = {
    "project": _OwnerColumns(
        tables.projects.c.external_id, tables.projects.c.id, _consumers.c.project_id
    ),
    "consumer_type": _OwnerColumns(
        tables.consumer_types.c.name,
        tables.consumer_types.c.id,
        _consumers.c.consumer_type_id,
    ),
}
GROUPINGS = tuple(_OWNERS)


class OwnerUsage(NamedTuple):
    """How much of one class the consumers of a project, or of a type, use.

    group      the id of the project, or the name of the type
    consumers  how many of its consumers use the class
    """

    group: str
    class_name: str
    used: int
    consumers: int


def _query(by):
    """Select (owner, class, used, number of consumers), by class; `by` is one of _OWNERS.

    Within a class, the owners that use the most of it come first.
    """
    owner = _OWNERS[by]
    sums = (
        sa.select(
            owner.reference.label("owner_id"),
            _allocations.c.resource_class_id,
            sa.func.sum(_allocations.c.used).label("used"),
            sa.func.count(_consumers.c.id.distinct()).label("consumers"),
        )
        .select_from(_allocations)
        .join(_consumers, _consumers.c.uuid == _allocations.c.consumer_id)
        .group_by(owner.reference, _allocations.c.resource_class_id)
        .subquery()
    )
    return (
        sa.select(owner.name, _classes.c.name, sums.c.used, sums.c.consumers)
        .select_from(sums)
        .join(_classes, _classes.c.id == sums.c.resource_class_id)
        .outerjoin(owner.name.table, owner.id == sums.c.owner_id)
        .order_by(_classes.c.id, sums.c.used.desc(), sums.c.owner_id)
    )


_QUERIES = {by: _query(by) for by in _OWNERS}


def usages(conn, by):
    """Return the OwnerUsages, class by class, with the largest usage of each class first.

    `by` is one of GROUPINGS.
    Cost: one query, which reads all allocations.
    """
    return [
        # MariaDB sums integers to decimals.
        OwnerUsage(shown_type(name), class_name, int(used), consumers)
        for name, class_name, used, consumers in conn.execute(_QUERIES[by])
    ]
