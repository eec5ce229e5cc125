"""The providers of a batch of trees, in few statements of any size.

Keys are written into the statements as numbers: a batch may have more roots than a
database takes parameters.
"""

import sqlalchemy as sa

from placement.db import tables
from placement.db.conditions import is_one_of
from placement.db.offers import Provider, Room

_providers = tables.resource_providers
_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates


_in_these_trees = _providers.c.root_provider_id.in_(
    sa.bindparam("root_ids", expanding=True, literal_execute=True)
)

# What the fields of a Provider are called in its row, where that is something else.
_COLUMN_NAMES = {"parent_id": "parent_provider_id", "root_id": "root_provider_id"}

# All fields of a Provider but the last three, which come from other tables.
_provider_query = (
    sa.select(
        *(_providers.c[_COLUMN_NAMES.get(field, field)] for field in Provider._fields[:-3])
    )
    .where(_in_these_trees)
    .order_by(_providers.c.root_provider_id, _providers.c.id)
)

_room_query = (
    sa.select(
        _inventories.c.resource_provider_id,
        _inventories.c.resource_class_id,
        *(_inventories.c[field] for field in Room._fields),
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


def providers(conn, root_ids, with_aggregates):
    """Return the Providers of the trees, tree by tree; with no aggregates unless asked for.

    Cost: three queries.
    """
    query = _trait_and_aggregate_query if with_aggregates else _trait_query
    return _providers_with(conn, root_ids, query, _room_query)


def providers_for(conn, root_ids, class_ids, trait_ids):
    """Return the Providers of the trees with no rooms and traits but these, and all aggregates.

    Cost: three queries.
    """
    sets_query = sa.union_all(
        _sets_query(_traits, _traits.c.trait_id).where(is_one_of(_traits.c.trait_id, trait_ids)),
        _sets_query(_members, _members.c.aggregate_id),
    )
    room_query = _room_query.where(is_one_of(_inventories.c.resource_class_id, class_ids))
    return _providers_with(conn, root_ids, sets_query, room_query)


def _providers_with(conn, root_ids, sets_query, room_query):
    traits, aggregates = _sets(conn, sets_query, root_ids)
    rooms = _rooms(conn, room_query, root_ids)
    nothing = frozenset()
    return [
        Provider(
            *row,
            traits.get(row.id, nothing),
            aggregates.get(row.id, nothing),
            rooms.get(row.id, {}),
        )
        for row in conn.execute(_provider_query, {"root_ids": root_ids})
    ]


def _rooms(conn, query, root_ids):
    """Return {provider_id: {class_id: Room}} of the providers in the trees that have any."""
    found = {}
    for provider_id, class_id, *room in conn.execute(query, {"root_ids": root_ids}):
        found.setdefault(provider_id, {})[class_id] = Room._make(room)
    return found


def _sets(conn, query, root_ids):
    """Return ({provider_id: its trait_ids}, {provider_id: its aggregate_ids}), as frozensets.

    A provider without any is in neither.
    """
    # Hosts of one kind have equal sets: each is made once, and they share it.
    sets_by_text = {}
    found = ({}, {})
    for kind, provider_id, text in conn.execute(query, {"root_ids": root_ids}):
        members = sets_by_text.get(text)
        if members is None:
            members = sets_by_text[text] = frozenset(map(int, text.split(",")))
        found[kind][provider_id] = members
    return found
