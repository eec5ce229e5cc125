"""The feasible trees of a small cloud, which was read whole; pure."""

import collections
import itertools
import random

from placement.candidates import feasible, forests, resolution
from placement.candidates.batches import Order, sizes
from placement.db.search.provider_sets import Holders


class FeasibleTrees:
    """The Forests of the feasible roots of a ResolvedQuery; the attributes are those of Batches."""

    def __init__(self, query, cloud, wanted, order):
        self._cloud = cloud
        self._sharing_ids = _sharing_ids(cloud)
        self._sizes = sizes(query, wanted)
        needed, excluded = feasible.needed(query), feasible.excluded(query)
        held = {each: each.held_in(cloud) for each in (*needed, *excluded)}
        self.nowhere = feasible.nowhere(query, [each for each in needed if not held[each]])
        holders = Holders(held, cloud.trees.below, _reached(cloud, self._sharing_ids))
        self._root_ids = feasible.root_ids(query, holders, cloud.trees.roots)
        self.hosts = len(self._root_ids)
        self._put_in(order)

    @property
    def vocabulary(self):
        return self._cloud.vocabulary

    def _put_in(self, order):
        if order is Order.RANDOM:
            random.shuffle(self._root_ids)
        elif order is Order.ROTATED and self._root_ids:
            cut = random.randrange(len(self._root_ids))
            self._root_ids = self._root_ids[cut:] + self._root_ids[:cut]

    def forests(self):
        """Yield the Forests: few trees first, if only few candidates are wanted."""
        shared = {self._cloud.trees.above(each) for each in self._sharing_ids}
        left = iter(self._root_ids)
        for size in (*self._sizes, None):
            if root_ids := list(itertools.islice(left, size)):
                providers = [
                    provider
                    for root_id in (*root_ids, *shared.difference(root_ids))
                    for provider in self._cloud.tree(root_id)
                ]
                yield forests.build(providers, self._sharing_ids, root_ids)


def _sharing_ids(cloud):
    """Return the ids of the sharing providers, tree by tree."""
    sharing = cloud.traits.having_any({resolution.sharing_trait_id(cloud.names)})
    return sorted(sharing, key=lambda each: (cloud.trees.above(each), each))


def _reached(cloud, sharing_ids):
    """Return {sharing provider: the roots of the trees that can use it}."""
    reached = collections.defaultdict(set)
    for sharing_id in sharing_ids:
        members = cloud.aggregates.having_any(cloud.aggregates.by_provider.get(sharing_id, ()))
        reached[sharing_id].update(map(cloud.trees.above, members))
    return dict(reached)
