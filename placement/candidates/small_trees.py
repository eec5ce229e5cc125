"""The feasible trees of a small cloud, which was read whole."""

import collections
import itertools
import random

from placement.candidates import feasible, forests, resolution
from placement.candidates.batches import FeasibleTrees, Order, sizes
from placement.db.search import who_meets
from placement.db.search.provider_sets import ProviderSets


class SmallTrees(FeasibleTrees):
    """The FeasibleTrees of a small cloud."""

    def __init__(self, cloud, sharing_ids, root_ids, forest_sizes, nowhere):
        """`root_ids`: the feasible roots, in order.

        `forest_sizes`: how many of them each Forest has, except the last, which has the rest.
        """
        super().__init__(cloud.vocabulary, len(root_ids), nowhere)
        self._cloud = cloud
        self._sharing_ids = sharing_ids
        self._root_ids = root_ids
        self._forest_sizes = forest_sizes

    def forests(self):
        """Yield the Forests: the next roots, in order, and all trees with sharing providers."""
        roots_of_sharing = {self._cloud.trees.root_of(each) for each in self._sharing_ids}
        left = iter(self._root_ids)
        # The last Forest has all that are left.
        for size in (*self._forest_sizes, None):
            if root_ids := list(itertools.islice(left, size)):
                providers = [
                    provider
                    for root_id in (*root_ids, *roots_of_sharing.difference(root_ids))
                    for provider in self._cloud.tree(root_id)
                ]
                yield forests.build(providers, self._sharing_ids, root_ids)


def feasible_trees(query, cloud, wanted, order):
    """Return the SmallTrees of a ResolvedQuery; `wanted` is None for all candidates."""
    needed, excluded = feasible.needed(query), feasible.excluded(query)
    ids_by_requirement = {
        requirement: who_meets.ids_in(cloud, requirement) for requirement in (*needed, *excluded)
    }
    missing = [requirement for requirement in needed if not ids_by_requirement[requirement]]
    nowhere = feasible.nowhere(query, missing)
    sharing_ids = _sharing_ids(cloud)
    provider_sets = ProviderSets(
        of=ids_by_requirement,
        root_ids=cloud.trees.root_by_descendant,
        reached=_reached(cloud, sharing_ids),
    )
    root_ids = feasible.root_ids(query, provider_sets, cloud.trees.roots)
    return SmallTrees(
        cloud, sharing_ids, _in_order(root_ids, order), sizes(query, wanted), nowhere
    )


def _in_order(root_ids, order):
    """Return the roots, which are given oldest first, in an Order."""
    if order is Order.RANDOM:
        return random.sample(root_ids, len(root_ids))
    if order is Order.ROTATED and root_ids:
        cut = random.randrange(len(root_ids))
        return root_ids[cut:] + root_ids[:cut]
    return root_ids


def _sharing_ids(cloud):
    """Return the ids of the sharing providers, tree by tree."""
    having = cloud.traits.having_any({resolution.sharing_trait_id(cloud.names.traits)})
    # Another program may have deleted a provider, but not its traits.
    sharing = [each for each in having if cloud.trees.root_of(each) in cloud.trees.roots]
    return sorted(sharing, key=lambda each: (cloud.trees.root_of(each), each))


def _reached(cloud, sharing_ids):
    """Return {sharing provider: the roots of the trees that can use it}."""
    reached = collections.defaultdict(set)
    for sharing_id in sharing_ids:
        members = cloud.aggregates.having_any(cloud.aggregates.by_provider.get(sharing_id, ()))
        reached[sharing_id].update(map(cloud.trees.root_of, members))
    return dict(reached)
