"""What providers offer, and whether an amount fits: plain values for the search and the claims.

Each field of Room is read from the column of the same name. Whether an amount fits is decided in
three places: here for the search, by has_room (db/sql/conditions.py) for the search's statements,
and by _is_possible (db/taking_capacity.py) for a claim. The column `headroom` (db/tables.py) only
narrows the search: no larger amount fits. tests/functional/search/test_room.py compares all these.
Source: doc/explanation/rules.rst, F2 (when an amount fits) and R11.
"""

from typing import NamedTuple

# Why an amount does not fit, beginning with what changes most often: what is left of the capacity
# changes all the time, units change rarely, and whether there is an inventory hardly ever changes.
UNITS = ("step_size", "min_unit", "max_unit")
REASONS = ("capacity", *UNITS, "no_inventory")


class Room(NamedTuple):
    """What a provider offers of one resource class, in that class's units.

    This is a tuple, because there is one Room for each inventory, and tuples are the quickest to
    make.
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
        """The most that is left for one allocation, or (R11) for all of one request together."""
        # This does not call `free`: the search uses headroom so often that the call would slow it.
        return min(self.capacity - self.used, self.max_unit)

    def fits(self, amount):
        """F2: whether an amount fits, if the request takes nothing else from the provider."""
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
        # Headroom may be below 0, and so may the amount. An amount of 0 is never taken.
        return amount if amount >= max(1, self.min_unit) else 0


def with_headroom(rooms, amount):
    """Return the set of the keys in {key: Room} whose Room has a headroom of at least `amount`.

    This looks at each inventory of a class. It does not use Room.headroom, which would make it
    three times as slow.
    """
    return {
        key
        for key, room in rooms.items()
        if room.used + amount <= room.capacity and amount <= room.max_unit
    }


class Provider(NamedTuple):
    """A provider in its tree; `traits` and `aggregates` are ids, and `rooms` is {class_id: Room}.

    The fields before `traits` are from its own row in the table of providers.
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


class HeldOnProvider(NamedTuple):
    """What a consumer holds on one provider: an amount of each class, as (class_id, amount)."""

    provider_id: int
    amounts: tuple[tuple[int, int], ...]
