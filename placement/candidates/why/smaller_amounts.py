"""Smaller amounts of a class with which a host may have candidates; pure.

Other groups may take the class from the same provider. They take their amounts whole or not at all,
so only a few smaller amounts have to be tried, with the other groups unchanged.
Source: doc/explanation/rules.rst, F2, R11.
"""

import bisect
import functools

from placement import constants
from placement.candidates import rules

# If the amounts of other groups have more sums than this, every number is treated as a sum.
_MOST_SUMS = 1000


class Smaller:
    """The smaller amounts of each `resources` Constraint of a ResolvedQuery."""

    def __init__(self, query):
        self._query = query
        self._groups = {group.suffix: group for group in query.groups}
        self._rest_of_group = functools.cache(self._group_without)
        self._sums = functools.cache(self._sums_beside)

    def may_help(self, constraint):
        """Return whether less of a class may help a host that has no candidates without the class.

        The provider of the class may have the traits that the unsuffixed group requires, or be an
        ancestor of the providers of other groups.
        """
        group = self._groups[constraint.group]
        return bool(self._query.same_subtrees) if group.is_granular else bool(group.required)

    def largest(self, host, constraint, least, would_do):
        """Return the largest smaller amount that would do; 0 if none of at least `least` would.

        would_do: returns whether a Host has candidates with an amount and the rest of the query
        """
        largest_so_far = 0
        tried = {}

        def is_enough(amount):
            # Providers with different rooms may give the same amount.
            if amount not in tried:
                tried[amount] = would_do(amount)
            return tried[amount]

        # Whether other groups ask for the class, too.
        has_others = len(self._sums(constraint.value)) > 1
        for most, room in self._rooms(host, constraint, least):
            if most < least:
                break
            if has_others:
                best = self._largest_in(room, constraint, least, is_enough)
            else:
                best = most if is_enough(most) else 0
            if best:
                largest_so_far, least = best, best + 1
        return largest_so_far

    def _rooms(self, host, constraint, least):
        """Return (the most that fits, Room) of providers that may serve the class, best first."""
        class_id, amount = constraint.value
        rest = self._rest_of_group(constraint)
        rooms = set()
        for provider in host.offered:
            room = provider.rooms.get(class_id)
            if room is None:
                continue
            most = room.largest_that_fits(amount - 1)
            if most >= least and _may_serve(provider, host.root, rest):
                rooms.add((most, room))
        return sorted(rooms, reverse=True)

    def _largest_in(self, room, constraint, least, would_do):
        """Return the largest smaller amount that would do; 0 if none of at least `least` would.

        The amount comes from a provider with this Room. Other groups also ask for the class, and
        may take it from the same provider.
        would_do: returns whether there are candidates with an amount

        If an amount works while other groups take more from the provider, it also works while they
        take less. An amount that works only because another provider gives it counts, too.
        """

        _, amount = constraint.value
        sums = self._sums(constraint.value)

        def beside(taken):
            """Return the largest smaller amount that fits while other groups take this much."""
            return room.largest_that_fits(min(amount - 1, room.headroom - taken))

        def is_small_enough(taken):
            left = beside(taken)
            return left < least or would_do(left)

        # The smallest sum that leaves a small enough amount. All larger sums do so, too, and False
        # sorts before True, so bisecting finds it.
        place = bisect.bisect_left(sums, True, key=is_small_enough)
        best = beside(sums[place]) if place < len(sums) else 0
        return best if best >= least else 0

    def _group_without(self, constraint):
        """Return the group of a constraint, without the class of the constraint."""
        return constraint.kind.without(self._groups[constraint.group], constraint.value)

    def _sums_beside(self, need):
        """Return, in order, the amounts of a need's class that other groups may take together."""
        class_id, amount = need
        others = [
            group.amounts[class_id] for group in self._query.groups if class_id in group.amounts
        ]
        others.remove(amount)
        sums = {0}
        for each in others:
            sums |= {each + taken for taken in sums}
            if len(sums) > _MOST_SUMS:
                # Too many to try: treat every number as a sum.
                return range(min(sum(others), constants.MAX_INTEGER) + 1)
        return sorted(sums)


def _may_serve(provider, root, group):
    """Return whether a provider may serve a group, alone or together with others."""
    if group.is_granular:
        return rules.may_serve_alone(provider, group)
    return rules.may_contribute(provider, root, group)
