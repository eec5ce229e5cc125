"""Providers of a batch of trees -> the trees and the sharing providers they can use; pure."""

from dataclasses import dataclass

from placement.db.provider_room import Provider


@dataclass(frozen=True, slots=True)
class Forest:
    """The trees of one batch, together with the trees of every sharing provider.

    root_ids     the batch: the anchors at which candidates are searched for
    providers    every provider, by id
    trees        root id -> the members of that tree
    sharing      anchor -> the sharing providers of *other* trees that it can use; no key if none
    sharing_ids  every sharing provider, whichever tree it is in
    The dicts and lists do not change after `build`.
    """

    root_ids: tuple[int, ...]
    providers: dict[int, Provider]
    trees: dict[int, list[Provider]]
    sharing: dict[int, list[Provider]]
    sharing_ids: frozenset[int]

    def offered(self, root_id):
        """Return the providers that can be used at an anchor: its tree, and sharing ones."""
        tree = self.trees[root_id]
        return tree + self.sharing[root_id] if root_id in self.sharing else tree

    def is_lone(self, root_id):
        """Return whether a root is the only provider offered at its anchor, and does not share."""
        return (
            len(self.trees[root_id]) == 1
            and root_id not in self.sharing
            and root_id not in self.sharing_ids
        )


def build(providers, sharing_ids, root_ids):
    """Return the Forest of Providers.

    providers    of whole trees: those of the batch, and those with a sharing provider
    sharing_ids  every sharing provider
    root_ids     the roots of the batch
    Order: trees keep the order of the providers; so does the search.
    """
    providers_by_id = {provider.id: provider for provider in providers}
    trees = {}
    for provider in providers:
        trees.setdefault(provider.root_id, []).append(provider)
    # A provider that was deleted or moved after its id was read is missing.
    sharing_providers = [providers_by_id[each] for each in sharing_ids if each in providers_by_id]
    return Forest(
        tuple(root_ids),
        providers_by_id,
        trees,
        _sharing_by_anchor(sharing_providers, trees, root_ids),
        frozenset(sharing_ids),
    )


def roots_of(providers):
    """Return the ids of those Providers that are roots, in their order.

    Another program may have written a provider without a parent into the tree of another root.
    """
    return [each.id for each in providers if each.parent_id is None and each.id == each.root_id]


def _sharing_by_anchor(sharing_providers, trees, root_ids):
    """Return {root id: the sharing providers of other trees that any member of its tree reaches}.

    A tree reaches a sharing provider as soon as one member of the tree, root or not, has an
    aggregate in common with the sharing provider itself.
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
