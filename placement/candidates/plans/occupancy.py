"""What a plan would take from the rooms of a forest; pure.

The rooms of the forest itself are changed, so that a search sees what is left of them.
"""

import collections
import contextlib
from typing import NamedTuple

from placement.db.provider_room import Room


class NewPlace(NamedTuple):
    """Where a consumer goes: (provider_id, class_id) -> amount, at one root."""

    root_id: int
    amounts: dict[tuple[int, int], int]


class Occupancy:
    """What has been placed in a forest. A tree is *touched* once something is placed in it.

    It stays touched until `clear`, even if everything in it is given back.
    """

    def __init__(self, providers):
        """`providers`: the providers of the forest, by id."""
        self._providers = providers
        # Root id -> {(provider_id, class_id): amount}.
        self._taken_by_root_id = collections.defaultdict(collections.Counter)
        self._changes_by_root_id = collections.Counter()

    def touched(self):
        """Return the roots of the touched trees, first touched first."""
        return list(self._taken_by_root_id)

    def is_touched(self, root_id):
        """Return whether something has been placed in a tree."""
        return root_id in self._taken_by_root_id

    def changes(self, root_id):
        """Return how often a tree has changed: while this number is the same, so are its rooms."""
        return self._changes_by_root_id[root_id]

    def take(self, place):
        """Take what a NewPlace needs."""
        self._change(place, sign=1)

    def release(self, place):
        """Undo `take`."""
        self._change(place, sign=-1)

    def clear(self):
        """Give back everything that was taken."""
        self._use_taken(self._taken_by_root_id, sign=-1)
        self._taken_by_root_id.clear()
        self._changes_by_root_id.clear()

    @contextlib.contextmanager
    def before_plan(self, root_ids):
        """Context manager: inside, these trees have the room that they had before any placement."""
        touched = [root_id for root_id in root_ids if self.is_touched(root_id)]
        self._use_taken(touched, sign=-1)
        try:
            yield
        finally:
            self._use_taken(touched, sign=1)

    def has_room(self, place):
        """Return whether there is still enough room for a NewPlace that a search found before."""
        for (provider_id, class_id), amount in place.amounts.items():
            room = self._room(provider_id, class_id)
            if amount > room.free:
                return False
        return True

    def may_add(self, amounts, kept):
        """Return whether a consumer may hold amounts in addition to those that it keeps.

        amounts  (provider_id, class_id) -> amount
        kept     HeldOnProviders
        """
        for provider_id, kept_amounts in kept:
            for class_id, kept_amount in kept_amounts:
                more = amounts.get((provider_id, class_id))
                if more is None:
                    continue
                # The units apply to the sum of both, as to a single amount.
                room = self._room(provider_id, class_id)
                room = room._replace(used=room.used - kept_amount)
                if not room.fits(more + kept_amount):
                    return False
        return True

    def slack(self, place):
        """Return a sort key: how much a NewPlace leaves free of each capacity, as a sum of shares.

        Of two places with equal sums, the one in the older tree comes first.
        """
        left = 0
        for (provider_id, class_id), amount in place.amounts.items():
            room = self._room(provider_id, class_id)
            left += (room.free - amount) / max(1, room.capacity)
        return left, place.root_id

    def slack_before_plan(self, place):
        """Return the slack of a NewPlace as if nothing had been placed in its tree."""
        with self.before_plan([place.root_id]):
            return self.slack(place)

    def _room(self, provider_id, class_id):
        return self._providers[provider_id].rooms[class_id]

    def _change(self, place, sign):
        """Take what a NewPlace needs (1), or give it back (-1)."""
        for (provider_id, class_id), amount in place.amounts.items():
            # A sharing provider may be in another tree.
            root_id = self._providers[provider_id].root_id
            self._taken_by_root_id[root_id][provider_id, class_id] += sign * amount
            self._changes_by_root_id[root_id] += 1
            self._use(provider_id, class_id, sign * amount)

    def _use_taken(self, root_ids, sign):
        """Redo (`sign` 1) or undo (`sign` -1) everything taken from these trees."""
        for root_id in root_ids:
            for (provider_id, class_id), amount in self._taken_by_root_id[root_id].items():
                self._use(provider_id, class_id, sign * amount)

    def _use(self, provider_id, class_id, amount):
        """Add an amount, which may be negative, to what is used of a class."""
        rooms = self._providers[provider_id].rooms
        # Plans do this very often, and _replace would take longer.
        capacity, used, *units = rooms[class_id]
        rooms[class_id] = Room(capacity, used + amount, *units)
