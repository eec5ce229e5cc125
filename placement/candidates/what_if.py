"""Changes of a cloud that are only thought of: of its Providers, before they are searched; pure."""

import itertools


def without(providers, root_ids):
    """Return the Providers without these trees."""
    return [provider for provider in providers if provider.root_id not in root_ids]


def with_capacities(providers, class_id, capacities):
    """Return the Providers with other capacities of one class: {provider_id: capacity}."""
    return [
        provider._replace(
            rooms=provider.rooms
            | {class_id: provider.rooms[class_id]._replace(capacity=capacities[provider.id])}
        )
        if class_id in provider.rooms and provider.id in capacities
        else provider
        for provider in providers
    ]


def with_more(providers, root_id, count):
    """Return the Providers and `count` more trees like that of a root, of which nothing is used.

    Order: they come last, as those that are created last do.
    """
    tree = [provider for provider in providers if provider.root_id == root_id]
    new_ids = itertools.count(max(provider.id for provider in providers) + 1)
    more = []
    for number in range(1, count + 1):
        ids = {provider.id: next(new_ids) for provider in tree}
        more += [_empty(provider, ids, number) for provider in tree]
    return providers + more


def _empty(provider, ids, number):
    rooms = {class_id: room._replace(used=0) for class_id, room in provider.rooms.items()}
    return provider._replace(
        id=ids[provider.id],
        uuid=f"{provider.uuid} +{number}",
        parent_id=ids.get(provider.parent_id),
        root_id=ids[provider.root_id],
        rooms=rooms,
    )
