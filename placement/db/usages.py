"""What is used, summed by provider, project and type of consumer."""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql import prepared, provider_with

_inventories = tables.inventories
_allocations = tables.allocations
_consumers = tables.consumers
_classes = tables.resource_classes
_types = tables.consumer_types


class ClassUsage(NamedTuple):
    """What is used of one class."""

    class_name: str
    used: int


class TypeUsage(NamedTuple):
    """What consumers of one type (None: without a type) use of one class."""

    consumer_type: str | None
    class_name: str | None
    used: int


_of_provider_query = provider_with.query(
    (_classes.c.name, _inventories.c.used),
    (_inventories, _inventories.c.resource_provider_id == tables.resource_providers.c.id),
    (_classes, _classes.c.id == _inventories.c.resource_class_id),
).order_by(_classes.c.id)


def of_provider(conn, provider_uuid):
    """Return a Holding with a ClassUsage for each inventory; None if there is no such provider.

    Cost: one statement.
    """
    return provider_with.find(conn, _of_provider_query, provider_uuid, make=ClassUsage)


def of_project(conn, project_id, user_id=None):
    """Return a TypeUsage for each consumer type and class that a project, or a user in it, uses.

    If the class_name of a TypeUsage is None, `used` is a count: how many consumers of the type have
    allocations.
    Order: by class, standard classes first; then the counts.
    Cost: one statement.
    """
    parameters = {"project_id": project_id}
    if user_id is not None:
        parameters["user_id"] = user_id
    rows = _of_project_query(user_id is not None).execute(conn, parameters)
    # row[2] is the class_id. Rows without a class come last.
    usages = sorted(rows, key=lambda row: (row[2] is None, row[2]))
    # MariaDB sums integers to decimals.
    return [TypeUsage(type_name, name, int(total)) for type_name, name, _, total in usages]


@prepared.for_each_shape
def _of_project_query(has_user):
    """Select (type, class, class_id, used), and then (type, NULL, NULL, number of consumers)."""
    consumers = _belonging_to(has_user)
    used = (
        sa.select(_types.c.name, _classes.c.name, _classes.c.id, sa.func.sum(_allocations.c.used))
        .select_from(consumers)
        .join(_allocations, _allocations.c.consumer_id == _consumers.c.uuid)
        .join(_classes, _classes.c.id == _allocations.c.resource_class_id)
        .group_by(_types.c.name, _classes.c.name, _classes.c.id)
    )
    counted = (
        sa.select(_types.c.name, sa.null(), sa.null(), sa.func.count(_consumers.c.id))
        .select_from(consumers)
        .where(sa.exists().where(_allocations.c.consumer_id == _consumers.c.uuid))
        .group_by(_types.c.name)
    )
    return sa.union_all(used, counted)


def _belonging_to(has_user):
    """Join the consumers of a project, or of a user in it, with their types."""
    consumers = _consumers.outerjoin(_types, _types.c.id == _consumers.c.consumer_type_id).join(
        tables.projects,
        (tables.projects.c.id == _consumers.c.project_id)
        & (tables.projects.c.external_id == sa.bindparam("project_id")),
    )
    if not has_user:
        return consumers
    return consumers.join(
        tables.users,
        (tables.users.c.id == _consumers.c.user_id)
        & (tables.users.c.external_id == sa.bindparam("user_id")),
    )
