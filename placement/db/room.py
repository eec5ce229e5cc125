"""What one inventory offers: the row that the search and the claims have in common."""

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
