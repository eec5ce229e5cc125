"""What providers offer, and whether an amount fits: the values of the search and the claims.

Each field is read from the column of the same name. Whether an amount fits is decided here for the
search, by db/sql/conditions.py: has_room for its statements, and by db/taking_capacity.py:
_is_possible for a claim. The column `headroom` (db/tables.py) only narrows the search: no larger
amount fits.
Source: doc/explanation/rules.rst, F2.
"""

from typing import NamedTuple

# Why an amount does not fit, from what may change at any moment to what never will.
UNITS = ("step_size", "min_unit", "max_unit")
REASONS = ("capacity", *UNITS, "no_inventory")


class Room(NamedTuple):
    """What a provider offers of one resource class, in that class's units.

    A tuple, because there is one for each inventory, and tuples are the quickest to make.
    """

    capacity: int
    used: int
    min_unit: int
    max_unit: int
    step_size: int

    @property
    def free(self):
        """What is left of the capacity; below 0 if more is used."""
        return self.capacity - self.used

    @property
    def headroom(self):
        """The most that is left for one allocation, or (R11) for several of one request."""
        # Not `free`: a search reads this so often that another call would show.
        return min(self.capacity - self.used, self.max_unit)

    def fits(self, amount):
        """F2: whether the provider could take an amount if nothing else were asked of it."""
        return self.used + amount <= self.capacity and self.broken_unit(amount) is None

    def broken_unit(self, amount):
        """Return which of the UNITS does not allow an amount; None if all do."""
        if amount > self.max_unit:
            return "max_unit"
        if amount < self.min_unit:
            return "min_unit"
        return "step_size" if amount % self.step_size else None

    def why_not(self, amount):
        """Return which of the REASONS keeps an amount from fitting; None if it fits."""
        if self.fits(amount):
            return None
        return self.broken_unit(amount) or "capacity"

    def largest_that_fits(self, most):
        """Return the largest amount, at most `most`, that fits; 0 if there is none."""
        amount = min(most, self.headroom)
        amount -= amount % self.step_size
        return amount if amount >= max(1, self.min_unit) else 0


def with_headroom(rooms, amount):
    """Return the set of the keys of {key: Room} whose headroom is at least `amount`.

    Because this looks at each inventory of a class, it does not call `headroom`, which would make
    it three times as slow.
    """
    return {
        key
        for key, room in rooms.items()
        if room.used + amount <= room.capacity and amount <= room.max_unit
    }


class Provider(NamedTuple):
    """A provider in its tree; `rooms` is keyed by resource class id, the sets are of ids.

    The fields before `traits` are in its own row.
    """

    id: int
    uuid: str
    parent_id: int | None
    root_id: int
    traits: frozenset[int]
    aggregates: frozenset[int]
    rooms: dict[int, Room]

    def has_room(self, class_id, amount):
        """F2: whether an amount fits into this provider's inventory of a class."""
        room = self.rooms.get(class_id)
        return room is not None and room.fits(amount)
