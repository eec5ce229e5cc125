"""The rows that a batch of trees is made of, in few statements of any size.

Keys are written into the statements as numbers: a batch may have more roots than a
database takes parameters.
"""

import sqlalchemy as sa

from placement.db import tables

_providers = tables.resource_providers
_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates

_in_these_trees = _providers.c.root_provider_id.in_(
    sa.bindparam("root_ids", expanding=True, literal_execute=True)
)

_provider_query = (
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

_trait_query = (
    sa.select(_traits.c.resource_provider_id, _traits.c.trait_id)
    .join(_providers, _providers.c.id == _traits.c.resource_provider_id)
    .where(_in_these_trees)
    # Providers with the same traits come with them in the same order, and share one set.
    .order_by(_traits.c.resource_provider_id, _traits.c.trait_id)
)

_traits_or_aggregates = sa.union_all(
    sa.select(
        sa.literal(0).label("kind"),
        _traits.c.resource_provider_id.label("provider_id"),
        _traits.c.trait_id.label("label_id"),
    )
    .join(_providers, _providers.c.id == _traits.c.resource_provider_id)
    .where(_in_these_trees),
    sa.select(sa.literal(1), _members.c.resource_provider_id, _members.c.aggregate_id)
    .join(_providers, _providers.c.id == _members.c.resource_provider_id)
    .where(_in_these_trees),
).subquery()

_label_query = sa.select(_traits_or_aggregates).order_by("provider_id", "label_id")


def providers(conn, root_ids):
    """Return [(id, uuid, parent_id, root_id)] of all providers in the trees, tree by tree."""
    return conn.execute(_provider_query, {"root_ids": root_ids}).all()


def rooms(conn, root_ids):
    """Return [(provider_id, class_id, capacity, used, min_unit, max_unit, step_size)]."""
    return conn.execute(_room_query, {"root_ids": root_ids}).all()


def traits(conn, root_ids):
    """Return [(provider_id, trait_id)] of all providers in the trees."""
    return conn.execute(_trait_query, {"root_ids": root_ids}).all()


def traits_and_aggregates(conn, root_ids):
    """Return ([(provider_id, trait_id)], [(provider_id, aggregate_id)]) of the trees.

    Cost: one query.
    """
    labels = ([], [])
    for kind, *label in conn.execute(_label_query, {"root_ids": root_ids}):
        labels[kind].append(label)
    return labels
