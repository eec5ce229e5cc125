"""Where providers stand in their trees, and how they are moved."""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql.conditions import is_one_of

_providers = tables.resource_providers


class TreeMember(NamedTuple):
    """A provider, with its parent and its root."""

    id: int
    parent_id: int | None
    root_id: int


_query_by_uuid = (
    sa.select(
        _providers.c.uuid,
        _providers.c.id,
        _providers.c.parent_provider_id,
        _providers.c.root_provider_id,
    )
    .where(_providers.c.uuid.in_(sa.bindparam("uuids", expanding=True)))
    .order_by(_providers.c.id)
)


def find(conn, uuids):
    """Return {uuid: TreeMember} of the providers that exist."""
    return _read(conn, _query_by_uuid, uuids)


def lock(conn, uuids):
    """Return {uuid: TreeMember} of the providers that exist, and keep others from changing them."""
    return _read(conn, _query_by_uuid.with_for_update(), uuids)


def _read(conn, query, uuids):
    rows = conn.execute(query, {"uuids": sorted(uuids)})
    # A database may ignore case; the API does not.
    return {row.uuid: TreeMember(*row[1:]) for row in rows if row.uuid in uuids}


def lock_by_id(conn, provider_ids):
    """Keep others from changing these providers. Any change to a tree locks its root first."""
    conn.execute(
        sa.select(_providers.c.id)
        .where(is_one_of(_providers.c.id, provider_ids))
        .order_by(_providers.c.id)
        .with_for_update()
    )


def clash_across_nodes(conn, provider_ids):
    """Make Galera abort one of two transactions that call this on different nodes for a provider.

    The locks of a Galera node have no effect on other nodes. The nodes only compare which rows
    transactions have written. So the providers are written twice, the second time with their old
    values. The caller must have locked them.
    """
    if conn.dialect.name != "mysql":
        return
    for step in (1, -1):
        conn.execute(
            sa.update(_providers)
            .where(is_one_of(_providers.c.id, provider_ids))
            .values(
                generation=_providers.c.generation + step, updated_at=_providers.c.updated_at
            )
        )


_members_query = sa.select(
    _providers.c.id, _providers.c.parent_provider_id, _providers.c.root_provider_id
)


def members(conn, root_id):
    """Return the TreeMember of every provider in a tree."""
    query = _members_query.where(_providers.c.root_provider_id == root_id)
    return [TreeMember(*row) for row in conn.execute(query)]


def members_of_trees(conn):
    """Return a TreeMember for each provider that has a parent or child, or is not its own root.

    Each of the others, which are most providers of a large cloud, is a tree of its own, in which
    nothing can be wrong. Cost: one query.
    """
    child = _providers.alias("child")
    parents = sa.select(child.c.parent_provider_id).where(child.c.parent_provider_id.is_not(None))
    query = _members_query.where(
        sa.or_(
            _providers.c.parent_provider_id.is_not(None),
            _providers.c.root_provider_id.is_(None),
            _providers.c.root_provider_id != _providers.c.id,
            _providers.c.id.in_(parents),
        )
    )
    return [TreeMember(*row) for row in conn.execute(query)]


def move(conn, provider_id, parent_id, root_id, subtree_ids):
    """Move a provider, with its whole subtree, below another one, or make it a root.

    parent_id: None to make it a root
    root_id: the root of the tree that it moves into; its own id if it becomes a root
    subtree_ids: its own id and those of all providers below it
    """
    conn.execute(
        sa.update(_providers)
        .where(_providers.c.id == provider_id)
        .values(parent_provider_id=parent_id)
    )
    set_root(conn, subtree_ids, root_id)


def set_root(conn, provider_ids, root_id):
    """Record that providers belong to the tree of a root."""
    conn.execute(
        sa.update(_providers)
        .where(is_one_of(_providers.c.id, provider_ids))
        .values(root_provider_id=root_id)
    )
