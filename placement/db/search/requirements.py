"""What a query may require of a provider: as a set of providers, and as a condition on one.

There is a class for each kind of requirement, with all its SQL. A Requirement can be a key of a
dict. To forbid one, negate its condition with `sa.not_`.
"""

from dataclasses import dataclass

import sqlalchemy as sa

from placement import constants
from placement.db import tables
from placement.db.sql import conditions
from placement.db.sql.conditions import is_one_of

_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates


class Requirement:
    """Something that a provider may have."""

    def holders(self):
        """Select the ids of the providers that have it, and perhaps of some more."""
        raise NotImplementedError

    def any_holder(self):
        """Select one of them."""
        return self.holders().limit(1)

    def held_in(self, cloud):
        """Return the ids of the providers of a small_cloud.Cloud that have it."""
        raise NotImplementedError

    def is_met_by(self, provider):
        """The condition that `provider`, a row of a table of providers, has it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Amount(Requirement):
    """Room for an amount of a class.

    The holders include some with another min_unit or step_size, as these are in no index.
    """

    class_id: int
    amount: int

    def holders(self):
        return sa.select(_inventories.c.resource_provider_id).where(
            _inventories.c.resource_class_id == self.class_id,
            _inventories.c.headroom >= min(self.amount, constants.TOO_LARGE),
        )

    def any_holder(self):
        # Without an order, PostgreSQL may expect to find one faster by a scan than by the index.
        return self.holders().limit(1).order_by(_inventories.c.headroom.desc())

    def held_in(self, cloud):
        return {
            provider_id
            for provider_id, room in cloud.rooms.by_class.get(self.class_id, {}).items()
            if room.used + self.amount <= room.capacity and self.amount <= room.max_unit
        }

    def is_met_by(self, provider):
        return conditions.has_room(self.class_id, self.amount, provider)


@dataclass(frozen=True, slots=True)
class AnyTrait(Requirement):
    """Having any of some traits."""

    trait_ids: frozenset[int]

    def holders(self):
        return sa.select(_traits.c.resource_provider_id).where(
            is_one_of(_traits.c.trait_id, self.trait_ids)
        )

    def held_in(self, cloud):
        return cloud.traits.having_any(self.trait_ids)

    def is_met_by(self, provider):
        return conditions.has_trait(self.trait_ids, provider)


@dataclass(frozen=True, slots=True)
class AnyAggregate(Requirement):
    """Being in any of some aggregates."""

    aggregate_ids: frozenset[int]

    def holders(self):
        return sa.select(_members.c.resource_provider_id).where(
            is_one_of(_members.c.aggregate_id, self.aggregate_ids)
        )

    def held_in(self, cloud):
        return cloud.aggregates.having_any(self.aggregate_ids)

    def is_met_by(self, provider):
        return conditions.is_member(self.aggregate_ids, provider)
