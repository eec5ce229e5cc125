"""Rows that releases before Stein wrote, and that today's rules do not foresee; their repair."""

import sqlalchemy as sa

from placement.db import names, tables

_providers = tables.resource_providers
_consumers = tables.consumers

_rootless = sa.select(_providers.c.id).where(_providers.c.root_provider_id.is_(None))

# The uuids of consumers that have allocations, and no row of their own.
_unrecorded = (
    sa.select(tables.allocations.c.consumer_id)
    .distinct()
    .select_from(
        tables.allocations.outerjoin(
            _consumers, _consumers.c.uuid == tables.allocations.c.consumer_id
        )
    )
    .where(_consumers.c.id.is_(None))
)


def count_providers_without_root(conn):
    """Return the number of providers from the time before there were trees."""
    return conn.scalar(sa.select(sa.func.count()).select_from(_rootless.subquery()))


def count_consumers_without_record(conn):
    """Return the number of consumers that have allocations and no row of their own."""
    return conn.scalar(sa.select(sa.func.count()).select_from(_unrecorded.subquery()))


def make_roots(conn, limit):
    """Make up to `limit` providers without a root their own root. Return how many there were."""
    piece = _rootless.order_by(_providers.c.id).limit(limit).subquery()
    last = conn.scalar(sa.select(sa.func.max(piece.c.id)))
    if last is None:
        return 0
    update = (
        sa.update(_providers)
        .where(_providers.c.root_provider_id.is_(None), _providers.c.id <= last)
        .values(root_provider_id=_providers.c.id)
    )
    return conn.execute(update).rowcount


def record_consumers(conn, limit, project, user):
    """Add the rows of up to `limit` consumers that have none. Return how many there were.

    They belong to `project` and `user`, are of no type, and have the generation 0.
    Raises: DBDuplicateEntry when another writer adds one of these rows at this moment.
    """
    if conn.scalar(_unrecorded.limit(1)) is None:
        return 0
    project_id = _ensure(conn, "projects", project)
    user_id = _ensure(conn, "users", user)
    rows = (
        _unrecorded.add_columns(sa.literal(project_id), sa.literal(user_id), sa.literal(0))
        .order_by(tables.allocations.c.consumer_id)
        .limit(limit)
    )
    columns = ["uuid", "project_id", "user_id", "generation"]
    insert = sa.insert(_consumers).from_select(columns, rows)
    return conn.execute(insert, execution_options={"preserve_rowcount": True}).rowcount


def _ensure(conn, kind, name):
    """Return the id of a name of one kind, which is added if it does not exist."""
    found = getattr(names.resolve(conn, **{kind: {name}}), kind) or names.add(conn, kind, {name})
    return found[name]
