"""What providers offer: the values that the search and the claims work with.

Each field is read from the column of the same name: see forests.py.
"""

from typing import NamedTuple


class Room(NamedTuple):
    """What a provider offers of one resource class, in that class's units.

    A tuple, because there is one for each inventory, and tuples are the quickest to make.
    """

    capacity: int
    used: int
    min_unit: int
    max_unit: int
    step_size: int


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
