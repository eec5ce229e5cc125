"""How full the trees of a cloud are, and what they may serve, before anything is placed; pure."""

import collections

from placement.candidates import claim_size


class Trees:
    """What is known about the trees of a forest without a search."""

    def __init__(self, forest):
        self._forest = forest
        self._roots_by_sharing_id = _roots_by_sharing_id(forest)
        self._capacity_by_class_id = _capacity_by_class_id(forest)
        # Root id -> {class_id: amount}.
        self._largest_by_root_id = {
            root_id: _largest_by_class_id(tree) for root_id, tree in forest.trees.items()
        }
        self._emptiest_first = sorted(forest.root_ids, key=self._fullness)
        self._size_by_need = {}

    def size(self, need):
        """Return a sort key: a need that takes a larger share of some capacity comes later."""
        if need not in self._size_by_need:
            self._size_by_need[need] = self._size(need)
        return self._size_by_need[need]

    def _size(self, need):
        """Return the shares of the cloud that a need takes, then the number of its parts."""
        totals = collections.Counter()
        for part in need.parts:
            totals.update(dict(part.amounts))
        return *claim_size.shares(totals, self._capacity_by_class_id), len(need.parts)

    def allowed(self, need):
        """Return the roots of the trees that may serve a need, the emptiest first."""
        return [root_id for root_id in self._emptiest_first if self.is_allowed(need, root_id)]

    def is_allowed(self, need, root_id):
        """Return whether a tree may serve a need, regardless of what it offers."""
        if need.root_ids is not None and root_id not in need.root_ids:
            return False
        # The tree must be able to use the sharing providers where the consumer keeps something.
        if any(root_id not in self._roots_by_sharing_id[sharing] for sharing in need.reached):
            return False
        # The root must be in one aggregate of each of these sets.
        aggregates = self._forest.providers[root_id].aggregates
        return not any(map(aggregates.isdisjoint, need.of_roots))

    def may_hold(self, need, root_id):
        """Return whether each amount could fit somewhere in the tree, or on a sharing provider."""
        if need.may_share:
            return True
        largest = self._largest_by_root_id[root_id]
        return all(
            amount <= largest.get(class_id, 0)
            for part in need.parts
            for class_id, amount in part.amounts
        )

    def _fullness(self, root_id):
        """Return a sort key: the trees with the most left of their scarcest class come first."""
        free, capacity = collections.Counter(), collections.Counter()
        for provider in self._forest.trees[root_id]:
            for class_id, room in provider.rooms.items():
                # Overuse of a provider takes nothing from what is free on the others.
                free[class_id] += max(0, room.free)
                capacity[class_id] += room.capacity
        shares = [free[class_id] / total for class_id, total in capacity.items() if total > 0]
        return -min(shares, default=0), root_id


def _roots_by_sharing_id(forest):
    """Return {id of a sharing provider: the roots of the trees that can use it}."""
    roots = {each: {forest.providers[each].root_id} for each in forest.sharing_ids}
    for root_id, providers in forest.sharing.items():
        for provider in providers:
            roots[provider.id].add(root_id)
    return roots


def _capacity_by_class_id(forest):
    """Return {class_id: the capacity of all providers together}, which is 0 for other classes."""
    capacity = collections.Counter()
    for provider in forest.providers.values():
        for class_id, room in provider.rooms.items():
            capacity[class_id] += max(0, room.capacity)
    return capacity


def _largest_by_class_id(tree):
    """Return {class_id: the most that one provider of the tree has left for one allocation}."""
    largest = {}
    for provider in tree:
        for class_id, room in provider.rooms.items():
            largest[class_id] = max(largest.get(class_id, 0), room.headroom)
    return largest
