"""Assumed changes of a cloud, made to its Providers before they are searched; pure."""

import itertools


def without(providers, root_ids):
    """Return the Providers without these trees."""
    return [provider for provider in providers if provider.root_id not in root_ids]


def with_capacities(providers, capacities):
    """Return the Providers with other capacities: {class_id: {provider_id: capacity}}."""
    return [_with_capacities(provider, capacities) for provider in providers]


def _with_capacities(provider, capacities):
    others = {
        class_id: room._replace(capacity=capacities[class_id][provider.id])
        for class_id, room in provider.rooms.items()
        if provider.id in capacities.get(class_id, ())
    }
    return provider._replace(rooms=provider.rooms | others) if others else provider


def with_more(providers, added):
    """Return the Providers with more, unused trees, and the models of these.

    added: {root_id: how many like its tree}; the models are {root_id: (the root_id of its model,
    its number)}.
    Order: they come last, like providers that were created last.
    """
    trees = {root_id: [] for root_id in added}
    for provider in providers:
        if provider.root_id in trees:
            trees[provider.root_id].append(provider)
    new_ids = itertools.count(max(provider.id for provider in providers) + 1)
    more, models = [], {}
    for root_id, count in added.items():
        tree = trees[root_id]
        for number in range(1, count + 1):
            ids = {provider.id: next(new_ids) for provider in tree}
            more += [_empty(provider, ids, number) for provider in tree]
            models[ids[root_id]] = (root_id, number)
    return providers + more, models


def _empty(provider, ids, number):
    rooms = {class_id: room._replace(used=0) for class_id, room in provider.rooms.items()}
    return provider._replace(
        id=ids[provider.id],
        uuid=f"{provider.uuid} +{number}",
        parent_id=ids.get(provider.parent_id),
        root_id=ids[provider.root_id],
        rooms=rooms,
    )
