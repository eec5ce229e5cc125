"""What is used, summed by provider, project and type of consumer."""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql import provider_with

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
    class_name: str
    used: int


_of_provider_query = provider_with.query(
    (_classes.c.name, _inventories.c.used),
    (_inventories, _inventories.c.resource_provider_id == tables.resource_providers.c.id),
    (_classes, _classes.c.id == _inventories.c.resource_class_id),
).order_by(_classes.c.id)


def of_provider(conn, provider_uuid):
    """Return the Holding of a ClassUsage for each inventory of a provider, or None.

    Cost: one statement.
    """
    return provider_with.find(conn, _of_provider_query, provider_uuid, ClassUsage)


def of_project(conn, project_id, user_id=None):
    """Return a TypeUsage for each type and class that the consumers of a project use."""
    used = sa.func.sum(_allocations.c.used)
    query = (
        sa.select(_types.c.name, _classes.c.name, used)
        .select_from(_belonging_to(project_id, user_id))
        .join(_allocations, _allocations.c.consumer_id == _consumers.c.uuid)
        .join(_classes, _classes.c.id == _allocations.c.resource_class_id)
        .group_by(_types.c.name, _classes.c.name, _classes.c.id)
        .order_by(_classes.c.id)
    )
    # MariaDB sums integers to decimals.
    return [TypeUsage(kind, name, int(total)) for kind, name, total in conn.execute(query)]


def count_consumers(conn, project_id, user_id=None):
    """Return {type name or None: how many consumers of a project have allocations}."""
    query = (
        sa.select(_types.c.name, sa.func.count(_consumers.c.id))
        .select_from(_belonging_to(project_id, user_id))
        .where(sa.exists().where(_allocations.c.consumer_id == _consumers.c.uuid))
        .group_by(_types.c.name)
    )
    return dict(tuple(row) for row in conn.execute(query))


def _belonging_to(project_id, user_id):
    """The consumers of a project, or of a user in it, with their types."""
    consumers = _consumers.outerjoin(_types, _types.c.id == _consumers.c.consumer_type_id).join(
        tables.projects,
        (tables.projects.c.id == _consumers.c.project_id)
        & (tables.projects.c.external_id == project_id),
    )
    if user_id is None:
        return consumers
    return consumers.join(
        tables.users,
        (tables.users.c.id == _consumers.c.user_id) & (tables.users.c.external_id == user_id),
    )
