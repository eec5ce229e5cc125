"""The rows that a batch of trees is made of, in few statements of any size.

Keys are written into the statements as numbers: a batch may have more roots than a
database takes parameters.
"""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.room import Room

_providers = tables.resource_providers
_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates


class Member(NamedTuple):
    """A provider and its place in its tree."""

    id: int
    uuid: str
    parent_id: int | None
    root_id: int


_in_these_trees = _providers.c.root_provider_id.in_(
    sa.bindparam("root_ids", expanding=True, literal_execute=True)
)

_member_query = (
    sa.select(
        _providers.c.id,
        _providers.c.uuid,
        _providers.c.parent_provider_id,
        _providers.c.root_provider_id,
    )
    .where(_in_these_trees)
    .order_by(_providers.c.root_provider_id, _providers.c.id)
)

_room_query = (
    sa.select(
        _inventories.c.resource_provider_id,
        _inventories.c.resource_class_id,
        _inventories.c.capacity,
        _inventories.c.used,
        _inventories.c.min_unit,
        _inventories.c.max_unit,
        _inventories.c.step_size,
    )
    .join(_providers, _providers.c.id == _inventories.c.resource_provider_id)
    .where(_in_these_trees)
)


def _sets_query(table, member):
    """Select (0 or 1, provider_id, "3,7,12"): one row for each provider, not for each member."""
    return (
        sa.select(
            sa.literal(int(table is _members), literal_execute=True).label("kind"),
            table.c.resource_provider_id,
            sa.func.aggregate_strings(sa.cast(member, sa.String(11)), ","),
        )
        .join(_providers, _providers.c.id == table.c.resource_provider_id)
        .where(_in_these_trees)
        .group_by(table.c.resource_provider_id)
    )


_trait_query = _sets_query(_traits, _traits.c.trait_id)
_trait_and_aggregate_query = sa.union_all(
    _trait_query, _sets_query(_members, _members.c.aggregate_id)
)


def members(conn, root_ids):
    """Return the Members of the trees, tree by tree."""
    return list(map(Member._make, conn.execute(_member_query, {"root_ids": root_ids})))


def rooms(conn, root_ids):
    """Return {provider_id: {class_id: Room}} of the providers in the trees that have any."""
    found = {}
    for provider_id, class_id, *room in conn.execute(_room_query, {"root_ids": root_ids}):
        found.setdefault(provider_id, {})[class_id] = Room._make(room)
    return found


def traits(conn, root_ids):
    """Return {provider_id: frozenset of trait_ids} of the providers in the trees that have any."""
    return _sets(conn, _trait_query, root_ids)[0]


def traits_and_aggregates(conn, root_ids):
    """Return what `traits` does, and the same of aggregate_ids.

    Cost: one query.
    """
    return _sets(conn, _trait_and_aggregate_query, root_ids)


def _sets(conn, query, root_ids):
    # Hosts of one kind have equal sets: each is made once, and they share it.
    sets_by_text = {}
    found = ({}, {})
    for kind, provider_id, text in conn.execute(query, {"root_ids": root_ids}):
        members = sets_by_text.get(text)
        if members is None:
            members = sets_by_text[text] = frozenset(map(int, text.split(",")))
        found[kind][provider_id] = members
    return found
