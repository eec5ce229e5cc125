"""What providers offer: the values that the search and the claims are made of.

The fields of rows are read from the columns that they are called after: see forests.py.
"""

from typing import NamedTuple


class Room(NamedTuple):
    """What a provider offers of one resource class, in that class's units.

    A tuple, because there are as many as inventories, and these are the quickest to make.
    """

    capacity: int
    used: int
    min_unit: int
    max_unit: int
    step_size: int


class Provider(NamedTuple):
    """A provider in its tree; `rooms` is keyed by resource class id, the sets are of ids.

    What stands before `traits` is in its own row.
    """

    id: int
    uuid: str
    parent_id: int | None
    root_id: int
    traits: frozenset[int]
    aggregates: frozenset[int]
    rooms: dict[int, Room]
