"""Which providers meet a Requirement: in SQL, and in a small cloud that was read whole."""

import sqlalchemy as sa

from placement import constants
from placement.db import provider_room, tables
from placement.db.names_and_ids import HELD
from placement.db.search.requirements import Amount, AnyOf, OfTree
from placement.db.sql import conditions
from placement.db.sql.conditions import is_one_of

_providers = tables.resource_providers
_inventories = tables.inventories


def select(requirement):
    """Select the ids of the providers that meet a Requirement, and perhaps of some that do not.

    For an Amount, only the headroom is checked, which is what is free, or max_unit if that is less.
    min_unit and step_size are not checked, because no index has them.
    """
    match requirement:
        case Amount(class_id, amount):
            return sa.select(_inventories.c.resource_provider_id).where(
                _inventories.c.resource_class_id == class_id,
                _inventories.c.headroom >= min(amount, constants.TOO_LARGE),
            )
        case AnyOf(subject, keys):
            provider_id, key = HELD[subject]
            return sa.select(provider_id).where(is_one_of(key, keys))
        case OfTree(root_id):
            return sa.select(_providers.c.id).where(_providers.c.root_provider_id == root_id)


def select_one(requirement):
    """Select the id of one of the providers that `select` selects."""
    one = select(requirement).limit(1)
    if isinstance(requirement, Amount):
        # Without an order, PostgreSQL may expect a scan to find one faster than the index does.
        return one.order_by(_inventories.c.headroom.desc())
    return one


def condition(requirement, provider):
    """The condition that `provider`, a row of a table of providers, meets a Requirement."""
    match requirement:
        case Amount(class_id, amount):
            return conditions.has_room(class_id, amount, provider)
        case AnyOf(subject, keys):
            provider_id, key = HELD[subject]
            return conditions.row_exists(provider_id == provider.c.id, is_one_of(key, keys))
        case OfTree(root_id):
            return provider.c.root_provider_id == root_id


def ids_in(cloud, requirement):
    """Return the ids of the providers of a small_cloud.Cloud that meet a Requirement.

    For an Amount, min_unit and step_size are not checked, so some of these providers may be unable
    to serve it.
    """
    match requirement:
        case Amount(class_id, amount):
            return provider_room.with_headroom(cloud.rooms.by_class.get(class_id, {}), amount)
        case AnyOf(subject, keys):
            # cloud.traits or cloud.aggregates.
            return getattr(cloud, subject).having_any(keys)
        case OfTree(root_id):
            return {each for each, *_ in cloud.trees.members.get(root_id, ())}
