"""A constraint of a query, and why a host does not meet it, as plain values."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from placement.db import provider_room
from placement.db.provider_room import Provider

# How to choose the most generous of several limits, by reason.
MOST_GENEROUS = {"capacity": max, "max_unit": max, "min_unit": min, "step_size": min}


class Host(NamedTuple):
    """A root, and the providers that can be used at it: its tree, and sharing ones."""

    root: Provider
    offered: list[Provider]


class Constraint(NamedTuple):
    """One thing that a query asks for.

    group  the suffix of the group, "" for the unsuffixed one; None for the whole query
    kind   one of the kinds in kinds/
    value  in keys: a class_id and an amount, a set of trait_ids or aggregate_ids, a root_id, or,
           for same_subtree, a set of suffixes
    """

    group: str | None
    kind: Any
    value: object

    @property
    def name(self):
        """The name of the kind in answers."""
        return self.kind.name

    def text(self, names_by_key):
        """Return the value as a client writes it; `names_by_key` is {Subject: {key: name}}."""
        return self.kind.text(self.kind.in_names(self.value, names_by_key))


class Unmet(NamedTuple):
    """Why a host does not meet a constraint.

    why          for resources: one of provider_room.REASONS; otherwise None
    free         for resources: what is free on the provider that came closest
    fitting      for resources: the largest part of the amount that fits there
    provider_id  that provider, or None for the host as a whole
    unit         for resources: that provider's max_unit, min_unit or step_size, if it is the reason
    serving      for constraints that bind groups: suffix -> the ids of the providers that would
                 serve the group without the constraint
    traits_on_full_provider  for `together`, if known: the Constraint on required traits that only
                 providers without any room for the group have; provider_id is one of them
    """

    constraint: Constraint
    why: str | None = None
    free: int | None = None
    fitting: int | None = None
    provider_id: int | None = None
    unit: int | None = None
    serving: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    traits_on_full_provider: Constraint | None = None

    @property
    def limit(self):
        """For resources: the number that the amount violates, or None if there is none."""
        return self.free if self.why == "capacity" else self.unit

    @property
    def shortage(self):
        """The fraction of the amount that is missing; if unknown, the shortage of the kind."""
        if self.fitting is None:
            return self.constraint.kind.shortage
        _, amount = self.constraint.value
        return (amount - self.fitting) / amount

    @property
    def severity(self):
        """A sort key: of two equal shortages, the less severe one is closer to being met."""
        if self.why is None:
            return 0, 0, 0
        limit = self.limit or 0
        # REASONS begin with those that may change soon.
        reason = provider_room.REASONS.index(self.why)
        # A class without an inventory has no limit.
        smaller_is_better = MOST_GENEROUS.get(self.why) is min
        return reason, limit if smaller_is_better else -limit, -self.free
