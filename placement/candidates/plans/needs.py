"""What a consumer needs in another tree when it has to leave some trees; pure.

Consumers with equal needs are interchangeable, and most share a handful of distinct needs.
Source: doc/how-to/planning.rst.
"""

import dataclasses
from typing import NamedTuple

from placement.candidates.query import ResolvedGroup, ResolvedQuery
from placement.db.provider_room import HeldOnProvider


@dataclasses.dataclass(frozen=True, slots=True)
class Wishes:
    """What else a new place must have.

    trait_ids       a new provider must have each of these traits that the old one had
    same_aggregate  a new provider must be in one of the old one's aggregates, if the old one was in
                    any; the new root must also be in one of the old root's aggregates
    """

    trait_ids: frozenset[int] = frozenset()
    same_aggregate: bool = False


class Part(NamedTuple):
    """What a consumer has on a provider that it must leave; one other provider must take it all."""

    amounts: tuple[tuple[int, int], ...]
    trait_ids: frozenset[int]
    aggregate_ids: frozenset[int]


class Need(NamedTuple):
    """What a consumer needs below one root.

    parts      one for each provider that it must leave
    kept       what it keeps elsewhere
    reached    the sharing providers where it keeps something; the new tree must be able to use them
    root_ids   the only trees to which it may go: those of the other providers where it keeps
               something; None for any tree
    of_roots   for each tree that it leaves, a set of aggregates; the new root must be in one
               aggregate of each set
    may_share  whether sharing providers of other trees may serve a part, because one does so now
    """

    parts: tuple[Part, ...]
    kept: tuple[HeldOnProvider, ...]
    reached: frozenset[int]
    root_ids: frozenset[int] | None
    of_roots: tuple[frozenset[int], ...]
    may_share: bool

    def query(self, disabled_trait_id):
        """Return the need as a ResolvedQuery; if any tree will do, no root may have this trait."""
        groups = [_group(f"_{number}", part) for number, part in enumerate(self.parts, start=1)]
        forbidden = [disabled_trait_id] if self.root_ids is None else []
        return ResolvedQuery(tuple(groups), root_forbidden=frozenset(forbidden))


def need_of(held, forest, left_ids, wishes):
    """Return the Need of a consumer that has to leave some trees.

    held      what it holds anywhere: HeldOnProviders
    forest    of all trees
    left_ids  the roots of the trees that it has to leave
    """
    parts, kept, reached, staying, leaving = [], [], set(), set(), set()
    for each in held:
        provider = forest.providers.get(each.provider_id)
        if provider is None:
            # Another program may have deleted the provider, but not its allocations.
            continue
        if provider.root_id in left_ids:
            parts.append(_part(provider, each.amounts, wishes))
            leaving.add(provider.root_id)
            continue
        kept.append(each)
        if provider.id in forest.sharing_ids:
            reached.add(provider.id)
        else:
            staying.add(provider.root_id)
    return Need(
        parts=tuple(sorted(parts, key=_order)),
        kept=tuple(kept),
        reached=frozenset(reached),
        root_ids=frozenset(staying) if staying else None,
        of_roots=_aggregates_of_roots(leaving, forest) if wishes.same_aggregate else (),
        # Sharing providers may serve the consumer if one that it leaves does so now.
        may_share=any(
            each.provider_id in forest.sharing_ids
            and forest.providers[each.provider_id].root_id in left_ids
            for each in held
        ),
    )


def _part(provider, amounts, wishes):
    """Return the Part for what a consumer has on a provider, under some Wishes."""
    return Part(
        amounts,
        trait_ids=provider.traits & wishes.trait_ids,
        aggregate_ids=provider.aggregates if wishes.same_aggregate else frozenset(),
    )


def _order(part):
    """Return a sort key, so that equal consumers have equal Needs."""
    return part.amounts, sorted(part.trait_ids), sorted(part.aggregate_ids)


def _aggregates_of_roots(root_ids, forest):
    """Return Need.of_roots for the roots that are left; roots in no aggregate do not count."""
    found = {forest.providers[root_id].aggregates for root_id in root_ids} - {frozenset()}
    return tuple(sorted(found, key=sorted))


def _group(suffix, part):
    """Return the ResolvedGroup of a Part."""
    return ResolvedGroup(
        suffix,
        dict(part.amounts),
        required=tuple(frozenset([trait_id]) for trait_id in sorted(part.trait_ids)),
        member_of=(part.aggregate_ids,) if part.aggregate_ids else (),
    )
