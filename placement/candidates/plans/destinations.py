"""The places that consumers could move to, one consumer after the other; pure.

Each place is one that the search finds. Where nothing has been placed yet, it is found once for all
consumers with equal needs.

That does not hold for a need that may use sharing providers (`may_share`). What is placed in one
tree may take room on a sharing provider that serves others, so no tree counts as untouched: each
tree that the need allows is searched every time.
"""

import itertools
from typing import NamedTuple

from placement.candidates.forests import Forest, build
from placement.candidates.plans.occupancy import NewPlace, Occupancy
from placement.candidates.plans.trees import Trees
from placement.candidates.solver import anchors

# How many ways to serve a need in one tree are compared to find the tightest one.
_WAYS_COMPARED = 8
# What a search in one tree costs, besides what the search itself counts.
_CHECKS_OF_A_SEARCH = 40


class _Untouched:
    """The NewPlaces of one Need in untouched trees, found only when they are asked for.

    Every plan may use them, because they do not depend on what is placed.

    prepared_query  the PreparedQuery of the need's query
    emptiest_first  the first NewPlace of each tree, for the trees that have been searched
    unsearched      an iterator over the roots of the other trees
    tightest_first  the tightest NewPlace of each tree; None until it is asked for
    """

    def __init__(self, prepared_query, root_ids):
        self.prepared_query = prepared_query
        self.emptiest_first = []
        self.unsearched = iter(root_ids)
        self.tightest_first = None


class _Tightest(NamedTuple):
    """The tightest NewPlace of a tree.

    changes  how often the tree had changed when the place was looked for
    place    None if there was none
    """

    changes: int
    place: NewPlace | None


class Destinations:
    """Trees that consumers are moved to.

    forest  of all trees; its rooms are changed while consumers are placed
    trees   the Trees of the forest
    """

    def __init__(self, forest, disabled_trait_id, effort):
        self.forest = forest
        self.trees = Trees(forest)
        self._disabled_trait_id = disabled_trait_id
        self._effort = effort
        # For needs that sharing providers of other trees may not serve.
        self._without_sharing = Forest(
            forest.root_ids, forest.providers, forest.trees, sharing={}, sharing_ids=frozenset()
        )
        # Need -> its _Untouched.
        self._untouched_by_need = {}
        # Of the present plan:
        self._left_ids = frozenset()
        self._with_sharing = None
        self._occupancy = Occupancy(forest.providers)
        # (Need, root id) -> _Tightest.
        self._tightest_by_need_and_root_id = {}
        # Need -> how many of the first places in its `emptiest_first` cannot be used any more.
        self._full_by_need = {}

    def begin_plan(self, left_ids):
        """Begin a plan for consumers that leave the trees with these roots."""
        self.clear()
        self._left_ids = left_ids
        self._with_sharing = None

    def clear(self):
        """Give back everything that was taken."""
        self._occupancy.clear()
        self._tightest_by_need_and_root_id.clear()
        self._full_by_need.clear()

    def take(self, place):
        """Take what a NewPlace needs."""
        self._occupancy.take(place)

    def release(self, place):
        """Undo `take`."""
        self._occupancy.release(place)
        self._full_by_need.clear()

    def first(self, need):
        """Return a NewPlace in the emptiest tree that has one, or None. Raises: SpentError."""
        if need.may_share:
            places = (
                self._search_if_allowed(need, root_id) for root_id in self.trees.allowed(need)
            )
            return next(filter(None, places), None)
        # The places before this number cannot be used any more.
        start = self._full_by_need.get(need, 0)
        for number, place in enumerate(self._untouched_places(need, start), start):
            # What the search finds first in a tree stays the first while there is room for it.
            if self._occupancy.is_touched(place.root_id) and not self._occupancy.has_room(place):
                place = self._search_if_allowed(need, place.root_id)
            if place is not None and place.root_id not in self._left_ids:
                # Until something is given back, room only shrinks.
                self._full_by_need[need] = number
                return place
        return None

    def tightest(self, need):
        """Return the NewPlace that leaves the least free around it, or None. Raises: SpentError."""
        if need.may_share:
            places = [self.tightest_at(need, root_id) for root_id in self.trees.allowed(need)]
        else:
            untouched = self._tightest_untouched(need)
            touched = [self.tightest_at(need, root_id) for root_id in self._occupancy.touched()]
            places = [*touched, untouched]
        return min(filter(None, places), key=self._occupancy.slack, default=None)

    def tightest_at(self, need, root_id):
        """Return the tightest NewPlace at one root, or None. Raises: SpentError."""
        if need.may_share:
            return self._search_if_allowed(need, root_id, _WAYS_COMPARED)
        changes = self._occupancy.changes(root_id)
        known = self._tightest_by_need_and_root_id.get((need, root_id))
        if known is None or known.changes != changes:
            place = self._search_if_allowed(need, root_id, _WAYS_COMPARED)
            known = _Tightest(changes, place)
            self._tightest_by_need_and_root_id[need, root_id] = known
        return known.place

    def fits_alone(self, need):
        """Return whether there is a NewPlace for a need on its own. Raises: SpentError."""
        if not need.may_share:
            places = self._untouched_places(need)
            return any(place.root_id not in self._left_ids for place in places)
        with self._occupancy.before_plan(self._occupancy.touched()):
            return any(
                self._search_if_allowed(need, root_id) for root_id in self.trees.allowed(need)
            )

    def roots(self, need):
        """Return the roots that may serve a need if nothing else is placed there."""
        if need.may_share:
            return set(self.trees.allowed(need)) - self._left_ids
        return {place.root_id for place in self._untouched_places(need)} - self._left_ids

    def remaining_roots(self):
        """Return the roots of the trees that are not being left."""
        return [root_id for root_id in self.forest.root_ids if root_id not in self._left_ids]

    def query(self, need):
        """Return the ResolvedQuery of a need."""
        return need.query(self._disabled_trait_id)

    def offered(self, need, root_id):
        """Return the providers that may serve a need at a root."""
        return self._forest_for(need).offered(root_id)

    def _untouched_places(self, need, start=0):
        """Yield the NewPlaces of a Need from number `start` on, as if nothing had been placed."""
        untouched = self._untouched(need)
        for number in itertools.count(start):
            while number >= len(untouched.emptiest_first):
                root_id = next(untouched.unsearched, None)
                if root_id is None:
                    return
                if (place := self._search_untouched(need, root_id)) is not None:
                    untouched.emptiest_first.append(place)
            yield untouched.emptiest_first[number]

    def _tightest_untouched(self, need):
        """Return the tightest NewPlace in a tree that nothing has been placed in, or None.

        In each tree, only the first _WAYS_COMPARED places are compared.
        """
        untouched = self._untouched(need)
        if untouched.tightest_first is None:
            root_ids = self.trees.allowed(need)
            places = [
                self._search_untouched(need, root_id, _WAYS_COMPARED) for root_id in root_ids
            ]
            untouched.tightest_first = sorted(
                filter(None, places), key=self._occupancy.slack_before_plan
            )
        excluded_ids = self._left_ids.union(self._occupancy.touched())
        remaining = (
            place for place in untouched.tightest_first if place.root_id not in excluded_ids
        )
        return next(remaining, None)

    def _untouched(self, need):
        """Return the _Untouched of a Need."""
        if need not in self._untouched_by_need:
            prepared_query = anchors.prepare(
                self.query(need), one_provider_per_tree=False, effort=self._effort
            )
            untouched = _Untouched(prepared_query, self.trees.allowed(need))
            self._untouched_by_need[need] = untouched
        return self._untouched_by_need[need]

    def _search_untouched(self, need, root_id, ways=1):
        """Return what `_search` would if nothing had been placed at this root."""
        with self._occupancy.before_plan([root_id]):
            return self._search(need, root_id, ways)

    def _search_if_allowed(self, need, root_id, ways=1):
        """Return what `_search` does; None at a root that is being left or is not allowed."""
        if root_id in self._left_ids or not self.trees.is_allowed(need, root_id):
            return None
        return self._search(need, root_id, ways)

    def _search(self, need, root_id, ways):
        """Return the tightest of the first `ways` NewPlaces that the search finds, or None."""
        self._effort.add_checks(_CHECKS_OF_A_SEARCH)
        if not self.trees.may_hold(need, root_id):
            return None
        forest = self._forest_for(need)
        candidates = anchors.each_at(forest, root_id, self._untouched(need).prepared_query)
        amounts = (candidate.amounts for candidate in candidates)
        # A consumer may keep something on a provider from which it now takes more.
        fitting = (
            taken
            for taken in amounts
            if not need.kept or self._occupancy.may_add(taken, need.kept)
        )
        places = [NewPlace(root_id, taken) for taken in itertools.islice(fitting, ways)]
        return min(places, key=self._occupancy.slack, default=None)

    def _forest_for(self, need):
        """Return the forest to search, without sharing providers if the need excludes them."""
        if not need.may_share:
            return self._without_sharing
        if self._with_sharing is None:
            providers = self.forest.providers
            sharing_ids = [
                provider_id
                for provider_id in self.forest.sharing_ids
                if providers[provider_id].root_id not in self._left_ids
            ]
            self._with_sharing = build(providers.values(), sharing_ids, self.forest.root_ids)
        return self._with_sharing
