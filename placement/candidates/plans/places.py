"""The trees of a cloud, in which consumers are placed on paper, one after the other; pure.

Each place is one that the search finds. Where nothing has been placed yet, it is found once for all
consumers with equal needs.
"""

import collections
import contextlib
import itertools
from typing import NamedTuple

from placement.candidates.forests import Forest, build
from placement.candidates.solver import search
from placement.db.offers import Room

# How many ways to serve a need in one tree are compared.
_WAYS = 8
# What a search in one tree costs, besides what the search itself counts.
_CHECKS_OF_A_SEARCH = 40


class NewPlace(NamedTuple):
    """Where a consumer goes: (provider_id, class_id) -> amount, at one root."""

    root_id: int
    amounts: dict[tuple[int, int], int]


class _Options:
    """The places of a Need in trees that nothing has been placed in, found as they are asked for.

    plan    the search's Plan
    found   the NewPlaces of the first roots
    later   an iterator over the roots not yet searched
    ranked  all NewPlaces, the tightest first; None until it is asked for
    """

    def __init__(self, plan, root_ids):
        self.plan = plan
        self.found = []
        self.later = iter(root_ids)
        self.ranked = None


class Places:
    """Trees that consumers are moved to."""

    def __init__(self, forest, disabled_trait_id, effort):
        """`forest` has all trees; their rooms are changed while consumers are placed."""
        self.forest = forest
        self._effort = effort
        self._disabled_trait_id = disabled_trait_id
        # A part of a consumer stays below one root, so sharing providers do not serve it.
        self._without_sharing = Forest(
            forest.root_ids, forest.providers, forest.trees, {}, frozenset()
        )
        self._with_sharing = None
        self._reaching = _reaching(forest)
        self._capacities = _capacities(forest)
        self._largest = {root_id: _largest(tree) for root_id, tree in forest.trees.items()}
        self._emptiest_first = sorted(forest.root_ids, key=self._fullness)
        self._options = {}
        self._sizes = {}
        self._left_ids = frozenset()
        self._taken = collections.defaultdict(collections.Counter)
        # How often a tree has changed, and the tightest place that was found before.
        self._versions = collections.Counter()
        self._tightest = {}
        # How many of the first options of a need have no place any more.
        self._exhausted = {}

    def leave(self, left_ids):
        """Begin a plan for consumers that leave the trees with these roots."""
        self.clear()
        self._left_ids = left_ids
        self._with_sharing = None

    def clear(self):
        """Give back everything that was taken."""
        self._use_taken(self._taken, -1)
        self._taken.clear()
        self._versions.clear()
        self._tightest.clear()
        self._exhausted.clear()

    def size(self, need):
        """Return a sort key: the largest share that a need takes of the capacity of a class."""
        if need not in self._sizes:
            self._sizes[need] = self._size(need)
        return self._sizes[need]

    def _size(self, need):
        totals = collections.Counter()
        for part in need.parts:
            totals.update(dict(part.amounts))
        shares = [n / max(1, self._capacities[class_id]) for class_id, n in totals.items()]
        return max(shares, default=0), sum(shares), len(need.parts)

    def first(self, need):
        """Return a NewPlace in the emptiest tree that has one, or None. Raises: SpentError."""
        if need.may_share:
            found = (self._search_if_allowed(need, root_id) for root_id in self._allowed(need))
            return next(filter(None, found), None)
        for number, place in enumerate(self._found(need, self._exhausted.get(need, 0))):
            # What the search finds first in a tree stays the first while there is room for it.
            if place.root_id in self._taken and not self._has_room(place):
                place = self._search_if_allowed(need, place.root_id)
            if place is not None and place.root_id not in self._left_ids:
                # Until something is given back, room only shrinks.
                self._exhausted[need] = self._exhausted.get(need, 0) + number
                return place
        return None

    def tightest(self, need):
        """Return the NewPlace that leaves the least free around it, or None. Raises: SpentError."""
        if need.may_share:
            found = [self.at(need, root_id) for root_id in self._allowed(need)]
        else:
            untouched = self._tightest_untouched(need)
            found = [*(self.at(need, root_id) for root_id in list(self._taken)), untouched]
        return min(filter(None, found), key=self._slack, default=None)

    def _tightest_untouched(self, need):
        """Return the tightest NewPlace in a tree that nothing has been placed in, or None."""
        for place in self._ranked(need):
            if place.root_id not in self._taken and place.root_id not in self._left_ids:
                return place
        return None

    def at(self, need, root_id):
        """Return the tightest NewPlace at one root, or None. Raises: SpentError."""
        if need.may_share:
            return self._search_if_allowed(need, root_id, _WAYS)
        version, place = self._tightest.get((need, root_id), (None, None))
        if version != self._versions[root_id]:
            place = self._search_if_allowed(need, root_id, _WAYS)
            self._tightest[need, root_id] = self._versions[root_id], place
        return place

    def exists(self, need):
        """Return whether there is a NewPlace for a need on its own. Raises: SpentError."""
        if not need.may_share:
            return any(place.root_id not in self._left_ids for place in self._found(need))
        with self._as_before(self._taken):
            return any(self._search_if_allowed(need, root_id) for root_id in self._allowed(need))

    def others(self):
        """Return the roots of the trees that are not being left."""
        return [each for each in self.forest.root_ids if each not in self._left_ids]

    def query(self, need):
        """Return the ResolvedQuery of a need."""
        return need.query(self._disabled_trait_id)

    def offered(self, need, root_id):
        """Return the providers that may serve a need at a root."""
        return self._forest_for(need).offered(root_id)

    def is_allowed(self, need, root_id):
        """Whether a tree may serve a need, regardless of what it offers."""
        if need.root_ids is not None and root_id not in need.root_ids:
            return False
        if any(root_id not in self._reaching[each] for each in need.reached):
            return False
        aggregates = self.forest.providers[root_id].aggregates
        return not any(map(aggregates.isdisjoint, need.of_roots))

    def roots(self, need):
        """Return the roots that may serve a need if nothing else is placed there."""
        if need.may_share:
            return set(self._allowed(need)) - self._left_ids
        return {place.root_id for place in self._found(need)} - self._left_ids

    def take(self, place):
        """Take what a NewPlace needs."""
        self._change(place, 1)

    def give_back(self, place):
        """Undo `take`."""
        self._change(place, -1)
        self._exhausted.clear()

    def _change(self, place, sign):
        for (provider_id, class_id), amount in place.amounts.items():
            # A sharing provider may be in another tree.
            root_id = self.forest.providers[provider_id].root_id
            self._taken[root_id][provider_id, class_id] += sign * amount
            self._versions[root_id] += 1
            self._use(provider_id, class_id, sign * amount)

    @contextlib.contextmanager
    def _as_before(self, root_ids):
        """Inside, these trees have the room that they had before anything was placed."""
        self._use_taken(root_ids, -1)
        try:
            yield
        finally:
            self._use_taken(root_ids, 1)

    def _use_taken(self, root_ids, sign):
        for root_id in root_ids:
            for (provider_id, class_id), amount in self._taken[root_id].items():
                self._use(provider_id, class_id, sign * amount)

    def _use(self, provider_id, class_id, amount):
        rooms = self.forest.providers[provider_id].rooms
        capacity, used, *units = rooms[class_id]
        rooms[class_id] = Room(capacity, used + amount, *units)

    def _found(self, need, start=0):
        """Yield the NewPlaces of a Need from number `start` on, as if nothing had been placed."""
        options = self._options_of(need)
        for number in itertools.count(start):
            while number >= len(options.found):
                root_id = next(options.later, None)
                if root_id is None:
                    return
                if (place := self._search_untouched(need, root_id)) is not None:
                    options.found.append(place)
            yield options.found[number]

    def _ranked(self, need):
        options = self._options_of(need)
        if options.ranked is None:
            places = [self._search_untouched(need, each, _WAYS) for each in self._allowed(need)]
            options.ranked = sorted(filter(None, places), key=self._slack_before)
        return options.ranked

    def _options_of(self, need):
        if need not in self._options:
            plan = search.plan_of(self.query(need), False, self._effort)
            self._options[need] = _Options(plan, self._allowed(need))
        return self._options[need]

    def _search_untouched(self, need, root_id, ways=1):
        """Return the NewPlace at a root as if nothing had been placed, or None."""
        with self._as_before(self._taken.keys() & {root_id}):
            return self._search(need, root_id, ways)

    def _search_if_allowed(self, need, root_id, ways=1):
        if root_id in self._left_ids or not self.is_allowed(need, root_id):
            return None
        return self._search(need, root_id, ways)

    def _search(self, need, root_id, ways):
        self._effort.add_checks(_CHECKS_OF_A_SEARCH)
        if not self._may_hold(need, root_id):
            return None
        forest = self._forest_for(need)
        candidates = search.each_at(forest, root_id, self._options_of(need).plan)
        amounts = (each.amounts for each in candidates)
        # A consumer may keep something on a provider from which it now takes more.
        fitting = (each for each in amounts if not need.kept or self._fits(need, each))
        places = [NewPlace(root_id, each) for each in itertools.islice(fitting, ways)]
        return min(places, key=self._slack, default=None)

    def _forest_for(self, need):
        if not need.may_share:
            return self._without_sharing
        if self._with_sharing is None:
            providers = self.forest.providers
            sharing_ids = [
                each
                for each in self.forest.sharing_ids
                if providers[each].root_id not in self._left_ids
            ]
            self._with_sharing = build(providers.values(), sharing_ids, self.forest.root_ids)
        return self._with_sharing

    def _fits(self, need, amounts):
        """Whether a consumer may hold these amounts in addition to what it keeps."""
        for provider_id, kept in need.kept:
            for class_id, amount in kept:
                more = amounts.get((provider_id, class_id))
                if more is None:
                    continue
                room = self.forest.providers[provider_id].rooms[class_id]
                if not room._replace(used=room.used - amount).fits(more + amount):
                    return False
        return True

    def _allowed(self, need):
        return [each for each in self._emptiest_first if self.is_allowed(need, each)]

    def _may_hold(self, need, root_id):
        """Whether each amount could be somewhere in the tree, or on a sharing provider."""
        if need.may_share:
            return True
        largest = self._largest[root_id]
        return all(
            amount <= largest.get(class_id, 0)
            for part in need.parts
            for class_id, amount in part.amounts
        )

    def _has_room(self, place):
        providers = self.forest.providers
        for (provider_id, class_id), amount in place.amounts.items():
            room = providers[provider_id].rooms[class_id]
            if room.used + amount > room.capacity:
                return False
        return True

    def _slack(self, place):
        """Return a sort key: how much a NewPlace leaves free on its providers."""
        left = 0
        for (provider_id, class_id), amount in place.amounts.items():
            room = self.forest.providers[provider_id].rooms[class_id]
            left += (room.capacity - room.used - amount) / max(1, room.capacity)
        return left, place.root_id

    def _slack_before(self, place):
        with self._as_before(self._taken.keys() & {place.root_id}):
            return self._slack(place)

    def _fullness(self, root_id):
        """Return a sort key: the trees with the most left of their scarcest class come first."""
        free, capacity = collections.Counter(), collections.Counter()
        for provider in self.forest.trees[root_id]:
            for class_id, room in provider.rooms.items():
                free[class_id] += max(0, room.free)
                capacity[class_id] += room.capacity
        shares = [free[each] / capacity[each] for each in capacity if capacity[each] > 0]
        return -min(shares, default=0), root_id


def _reaching(forest):
    """Return {sharing provider: the roots of the trees that can use it}."""
    found = {each: {forest.providers[each].root_id} for each in forest.sharing_ids}
    for root_id, providers in forest.sharing.items():
        for provider in providers:
            found[provider.id].add(root_id)
    return found


def _capacities(forest):
    found = collections.Counter()
    for provider in forest.providers.values():
        for class_id, room in provider.rooms.items():
            found[class_id] += max(0, room.capacity)
    return found


def _largest(tree):
    """Return {class_id: the most that one provider of the tree has left for one allocation}."""
    found = {}
    for provider in tree:
        for class_id, room in provider.rooms.items():
            found[class_id] = max(found.get(class_id, 0), room.headroom)
    return found
