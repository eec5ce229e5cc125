"""How often a request fits: claimed again and again, each time the first candidate; pure.

A claim only takes room, so an anchor that has no candidate any more will not have one again: the
anchors are filled one after the other, in the order of the search.
"""

import dataclasses
from collections import Counter
from dataclasses import dataclass

from placement.candidates import rules, search

# What stops a host on which every constraint taken alone could still be met.
TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class Filled:
    """How often the request could be claimed at one anchor.

    stopped_by  what keeps it from being claimed once more: a class_id, or the parameter of the
                query; None if the bound was reached
    """

    root_id: int
    fit: int
    stopped_by: int | str | None


def fill(forest, query, one_provider_per_tree, effort, bound=None):
    """Yield how each anchor is Filled, in their order, until `bound` claims have been made.

    The rooms of the forest are changed by the claims.
    Raises: SpentError.
    """
    plan = search.Plan(query, one_provider_per_tree, effort)
    totals = Counter()
    for group in query.groups:
        totals.update(group.amounts)
    left = bound
    for root_id in forest.root_ids:
        fit = 0
        while left is None or left:
            candidate = search.first_at(forest, root_id, plan)
            if candidate is None:
                break
            times = _repeats(candidate, totals)
            if left is not None:
                times = min(times, left)
                left -= times
            _claim(candidate, times)
            fit += times
        if left == 0:
            yield Filled(root_id, fit, None)
            return
        yield Filled(root_id, fit, _stop(forest, root_id, query))


def _repeats(candidate, totals):
    """Return how often a candidate will come first, at least.

    While all that the query asks of a class would fit, the search decides as it did before.
    """
    providers = candidate.forest.providers
    repeats = None
    for (provider_id, class_id), amount in candidate.amounts.items():
        room = providers[provider_id].rooms[class_id]
        spare = room.capacity - room.used - totals[class_id]
        possible = spare // amount + 1 if spare >= 0 else 1
        repeats = possible if repeats is None else min(repeats, possible)
    return repeats


def _claim(candidate, times):
    for (provider_id, class_id), amount in candidate.amounts.items():
        rooms = candidate.forest.providers[provider_id].rooms
        room = rooms[class_id]
        rooms[class_id] = room._replace(used=room.used + times * amount)


def _stop(forest, root_id, query):
    """Return the first constraint that an anchor does not meet: see Filled.stopped_by."""
    root = forest.providers[root_id]
    if not query.root_required <= root.traits:
        return "root_required"
    if not query.root_forbidden.isdisjoint(root.traits):
        return "root_forbidden"
    offered = forest.trees[root_id] + forest.sharing.get(root_id, [])
    for group in query.groups:
        stop = (_stop_alone if group.is_granular else _stop_spread)(offered, root, group)
        if stop is not None:
            return stop
    return TOGETHER


def _stop_spread(offered, root, group):
    """What stops the unsuffixed group, which several providers may serve, or None."""
    if group.root_id is not None and group.root_id != root.id:
        return "in_tree"

    def allowed(group):
        return [p for p in offered if rules.may_contribute(p, root, group)]

    for name in ("member_of", "not_member_of", "forbidden"):
        if not allowed(_only(group, name)):
            return name
    may_serve = allowed(group)
    for trait_ids in group.required:
        if all(trait_ids.isdisjoint(provider.traits) for provider in may_serve):
            return "required"
    for class_id, amount in group.amounts.items():
        if not any(rules.has_room(provider, class_id, amount) for provider in may_serve):
            return class_id
    return None


def _stop_alone(offered, root, group):
    """What stops a group that one provider must serve: what the last of them lacks, or None."""
    if not rules.asks_for_something(group):
        return TOGETHER
    left = offered
    # Where nothing is allocated, in_tree has no effect (R5).
    if group.root_id is not None and group.amounts:
        left = [provider for provider in left if provider.root_id == group.root_id]
        if not left:
            return "in_tree"
    for name in ("member_of", "not_member_of", "required", "forbidden"):
        kept = [p for p in left if rules.may_serve_alone(p, _only(group, name))]
        if not kept:
            return name
        left = kept
    for class_id, amount in group.amounts.items():
        left = [p for p in left if rules.has_room(p, class_id, amount)]
        if not left:
            return class_id
    return None


def _only(group, name):
    """Return a group that asks for nothing but what another says under one name."""
    return dataclasses.replace(
        group, **_NOTHING | {"amounts": {}, "root_id": None, name: getattr(group, name)}
    )


_NOTHING = {"required": (), "forbidden": frozenset(), "member_of": (), "not_member_of": frozenset()}
