"""The online data migrations, which complete rows that releases before Stein wrote."""

import sqlalchemy as sa

from placement.db import names_and_ids, tables
from placement.db.subjects_of_names import Subject

_providers = tables.resource_providers
_consumers = tables.consumers

_rootless = sa.select(_providers.c.id).where(_providers.c.root_provider_id.is_(None))

# The uuids of consumers that have allocations but no row of their own.
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
    """Return the number of providers without a root, which were written before there were trees."""
    return conn.scalar(sa.select(sa.func.count()).select_from(_rootless.subquery()))


def count_consumers_without_record(conn):
    """Return the number of consumers that have allocations but no row of their own."""
    return conn.scalar(sa.select(sa.func.count()).select_from(_unrecorded.subquery()))


def set_root_provider_ids(conn, limit, after=0):
    """Make each of up to `limit` providers without a root its own root. Return their ids, in order.

    Providers with ids up to `after` are skipped.
    """
    ids = conn.scalars(
        _rootless.where(_providers.c.id > after).order_by(_providers.c.id).limit(limit)
    ).all()
    if ids:
        conn.execute(
            sa.update(_providers)
            .where(_providers.c.root_provider_id.is_(None))
            .where(_providers.c.id.between(ids[0], ids[-1]))
            .values(root_provider_id=_providers.c.id)
        )
    return ids


def create_incomplete_consumers(conn, limit, after="", *, project, user):
    """Add rows for up to `limit` consumers that have no row. Return their uuids, in order.

    The new rows belong to `project` and `user`, have no type, and are at generation 0. Consumers
    with uuids up to `after` are skipped, so that all batches together read the allocations once.
    Raises: DBDuplicateEntry when another writer adds one of these rows at the same time.
    """
    consumer_id = tables.allocations.c.consumer_id
    uuids = conn.scalars(
        _unrecorded.where(consumer_id > after).order_by(consumer_id).limit(limit)
    ).all()
    if uuids:
        owner = {
            "project_id": _ensure(conn, Subject.PROJECTS, project),
            "user_id": _ensure(conn, Subject.USERS, user),
        }
        conn.execute(sa.insert(_consumers), [{"uuid": uuid, **owner} for uuid in uuids])
    return uuids


def _ensure(conn, subject, name):
    """Return the id of a name of a Subject; add the name if it does not exist."""
    ids = names_and_ids.resolve(conn, **{subject: {name}}).ids_of(subject)
    return (ids or names_and_ids.add(conn, subject, {name}))[name]
