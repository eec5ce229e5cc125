"""Assumed changes to a cloud, made to {root id: Providers} before these are searched; pure."""

import itertools
from dataclasses import dataclass, field

# No provider in a database has an id this large.
_FIRST_NEW_ID = 2**64


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Assumed changes to the cloud.

    excluded  uuids or names of hosts to leave out
    ratios    class -> allocation_ratio, on every provider that offers it
    added     uuid or name of a host -> how many more like it to add, with nothing used
    """

    excluded: frozenset[str] = frozenset()
    ratios: dict[str, float] = field(default_factory=dict)
    added: dict[str, int] = field(default_factory=dict)


def without(trees, root_ids):
    """Return the trees without some of them."""
    return {root_id: tree for root_id, tree in trees.items() if root_id not in root_ids}


def with_capacities(trees, capacities):
    """Return the trees, {root_id: Providers}, with other capacities.

    capacities: {class_id: {provider_id: capacity}}
    """
    return {
        root_id: [_with_capacities(provider, capacities) for provider in tree]
        for root_id, tree in trees.items()
    }


def _with_capacities(provider, capacities):
    """Return the Provider with its capacities from {class_id: {provider_id: capacity}}."""
    others = {
        class_id: room._replace(capacity=capacities[class_id][provider.id])
        for class_id, room in provider.rooms.items()
        if provider.id in capacities.get(class_id, ())
    }
    return provider._replace(rooms=provider.rooms | others) if others else provider


def added_trees(trees, added):
    """Return the added trees, {root_id: Providers}, all unused, and their models.

    added: {root_id: how many trees like its own to add}
    The models are {root_id of an added tree: (the root_id of its model, its number)}.
    """
    new_ids = itertools.count(_FIRST_NEW_ID)
    new_trees, models = {}, {}
    for root_id, count in added.items():
        tree = trees[root_id]
        for number in range(1, count + 1):
            ids = {provider.id: next(new_ids) for provider in tree}
            new_trees[ids[root_id]] = [_empty(provider, ids) for provider in tree]
            models[ids[root_id]] = (root_id, number)
    return new_trees, models


def _empty(provider, ids):
    """Return a Provider with unused rooms and other ids; `ids` is {id: new id}."""
    rooms = {class_id: room._replace(used=0) for class_id, room in provider.rooms.items()}
    return provider._replace(
        id=ids[provider.id],
        parent_id=ids.get(provider.parent_id),
        root_id=ids[provider.root_id],
        rooms=rooms,
    )
