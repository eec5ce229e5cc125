"""Rows of a batch of provider trees -> the trees and the sharing providers they can use; pure."""

import collections
from dataclasses import dataclass
from typing import NamedTuple


class Room(NamedTuple):
    """What a provider offers of one resource class, in that class's units.

    A tuple, because there are as many as inventories, and these are the quickest to make.
    """

    capacity: int
    used: int
    min_unit: int
    max_unit: int
    step_size: int


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider; `rooms` is keyed by resource class id."""

    id: int
    uuid: str
    parent_id: int | None
    root_id: int
    traits: frozenset[int]
    aggregates: frozenset[int]
    rooms: dict[int, Room]


@dataclass(frozen=True, slots=True)
class Forest:
    """The trees of one batch, together with the trees of every sharing provider.

    root_ids     the batch: the anchors at which candidates are searched
    providers    every provider, by id
    trees        root id -> the members of that tree
    sharing      anchor -> the sharing providers of *other* trees that it can use; no key, none
    sharing_ids  every sharing provider, whichever tree it is in
    Nobody changes the dicts and lists after `build`.
    """

    root_ids: tuple[int, ...]
    providers: dict[int, Provider]
    trees: dict[int, list[Provider]]
    sharing: dict[int, list[Provider]]
    sharing_ids: frozenset[int]

    def ancestors(self, provider_id):
        """Yield the ids of the provider and of all its ancestors, from below."""
        while provider_id is not None:
            yield provider_id
            provider_id = self.providers[provider_id].parent_id


def build(providers, rooms, traits, aggregates, sharing_trait_id, root_ids):
    """Return the Forest of these rows.

    providers   (id, uuid, parent_id, root_id); whole trees: the batch's and those that have a
                sharing provider
    rooms       (provider_id, class_id, capacity, used, min_unit, max_unit, step_size)
    traits      {provider_id: frozenset of trait ids}; none for a provider without traits
    aggregates  {provider_id: frozenset of aggregate ids}, likewise
    root_ids    the roots of the batch
    Order: trees keep the order of the provider rows; so does the search.
    """
    rooms_by_provider_id = collections.defaultdict(dict)
    for provider_id, class_id, capacity, used, min_unit, max_unit, step_size in rooms:
        room = Room(capacity, used, min_unit, max_unit, step_size)
        rooms_by_provider_id[provider_id][class_id] = room
    nothing = frozenset()
    providers_by_id = {}
    trees = {}
    for provider_id, uuid, parent_id, root_id in providers:
        provider = Provider(
            provider_id,
            uuid,
            parent_id,
            root_id,
            traits.get(provider_id, nothing),
            aggregates.get(provider_id, nothing),
            rooms_by_provider_id.get(provider_id, {}),
        )
        providers_by_id[provider_id] = provider
        trees.setdefault(root_id, []).append(provider)
    sharing_providers = [p for p in providers_by_id.values() if sharing_trait_id in p.traits]
    return Forest(
        tuple(root_ids),
        providers_by_id,
        trees,
        _sharing_by_anchor(sharing_providers, trees, root_ids),
        frozenset(p.id for p in sharing_providers),
    )


def joined(forests):
    """Return one Forest that has everything of several batches: whatever they anchor or share."""
    root_ids, providers, trees, sharing, sharing_ids = [], {}, {}, {}, frozenset()
    for forest in forests:
        root_ids.extend(forest.root_ids)
        providers.update(forest.providers)
        trees.update(forest.trees)
        sharing.update(forest.sharing)
        sharing_ids |= forest.sharing_ids
    return Forest(tuple(root_ids), providers, trees, sharing, sharing_ids)


def _sharing_by_anchor(sharing_providers, trees, root_ids):
    """Return {root id: the sharing providers of other trees that any member of its tree reaches}.

    A sharing provider is reached by a tree as soon as one member, root or not, has an aggregate in
    common with the sharing provider itself.
    """
    sharing_by_aggregate_id = {}
    for provider in sharing_providers:
        for aggregate_id in provider.aggregates:
            sharing_by_aggregate_id.setdefault(aggregate_id, []).append(provider)
    if not sharing_by_aggregate_id:
        return {}
    sharing_by_anchor = {}
    for root_id in root_ids:
        reached = {
            provider.id: provider
            for member in trees[root_id]
            for aggregate_id in member.aggregates
            for provider in sharing_by_aggregate_id.get(aggregate_id, ())
            if provider.root_id != root_id
        }
        if reached:
            sharing_by_anchor[root_id] = list(reached.values())
    return sharing_by_anchor
