"""What an explanation counts: the hosts that a constraint rules out, and the closest ones."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from placement.candidates.kinds.constraint import MOST_GENEROUS, Constraint, Unmet


@dataclass(slots=True)
class Tally:
    """Hosts that do not meet a constraint.

    reasons    for resources: reason -> hosts
    limits     for resources: reason -> the most generous Unmet.limit, if it has one
    most_free  for resources: the largest free amount on one of them
    nearest    for resources: of the Unmets that lack capacity, the one with the most free
    example    for `together`: the first Unmet whose cause is known
    """

    hosts: int = 0
    reasons: Counter = field(default_factory=Counter)
    limits: dict[str, int] = field(default_factory=dict)
    most_free: int = 0
    nearest: Unmet | None = None
    example: Unmet | None = None

    def add(self, unmet, hosts=1):
        """Count an Unmet of one host, or of several that are alike."""
        # This is called for each reason of each host, perhaps hundreds of thousands of times.
        self.hosts += hosts
        why, free, limit = unmet.why, unmet.free, unmet.limit
        if why is None:
            if self.example is None and unmet.traits_on_full_provider is not None:
                self.example = unmet
            return
        self.reasons[why] += hosts
        if free > self.most_free:
            self.most_free = free
        if why == "capacity" and (self.nearest is None or free > self.nearest.free):
            self.nearest = unmet
        if limit is not None:
            known = self.limits.get(why)
            self.limits[why] = limit if known is None else MOST_GENEROUS[why](known, limit)


@dataclass(slots=True)
class Count:
    """The hosts that a constraint rules out.

    fail   a Tally of those that do not meet it, taken alone
    first  a Tally of the hosts in `fail` that meet all the constraints before it
    only   how many would have candidates without it, but have none with it
    left   how many meet it and all the constraints before it
    """

    constraint: Constraint
    fail: Tally = field(default_factory=Tally)
    first: Tally = field(default_factory=Tally)
    only: int = 0
    left: int = 0


class Close(NamedTuple):
    """A host that almost has candidates, by the id of its root, and what it does not meet."""

    root_id: int
    unmet: list[Unmet]


class Relaxation(NamedTuple):
    """A single change with which hosts would have candidates; `hosts` is their number.

    instead  the Constraint to ask for instead; None if `constraint` is just given up
    example  the root id of one of these hosts
    also     the other changes that keep the query from being refused: (Constraint, its replacement
             or None if it is given up)
    """

    constraint: Constraint
    instead: Constraint | None
    hosts: int
    example: int
    also: list[tuple[Constraint, Constraint | None]]
