"""How often a request fits: the first candidate is claimed again and again; pure.

A claim only takes room, so an anchor that has no candidates left never gets one again. The anchors
can therefore be filled one after the other, in the order of the search.
"""

from collections import Counter
from dataclasses import dataclass

from placement.candidates import constraints, kinds
from placement.candidates.kinds.constraint import Constraint, Host
from placement.candidates.solver import anchors
from placement.db.provider_room import Provider

_MISSING_TREE = Constraint(group=None, kind=kinds.IN_TREE, value=None)


@dataclass(frozen=True, slots=True)
class FilledAnchor:
    """How often the request could be claimed at one anchor.

    tree        the Providers of the anchor's tree; later claims, at other anchors, may still take
                from those that share
    stopped_by  the first Constraint that prevents one more claim; None if the bound was reached
    """

    root_id: int
    tree: list[Provider]
    times: int
    stopped_by: Constraint | None


def fill(forests, query, one_provider_per_tree, effort, known_roots, bound=None):
    """Yield a FilledAnchor for each anchor of some forests, in order, until `bound` claims fit.

    The forests are taken one by one, and the claims change their rooms.
    known_roots: ids of the roots of existing trees, at least of those that groups name in in_tree.
    If a group names another tree, nothing fits anywhere, even if that group asks for no resources.
    Raises: SpentError.
    """
    if not {group.root_id for group in query.groups} <= {*known_roots, None}:
        yield from _fill_nothing(forests)
        return
    prepared = anchors.prepare(query, one_provider_per_tree, effort)
    totals = Counter()
    for group in query.groups:
        totals.update(group.amounts)
    groups = constraints.by_group(query)
    constraint_count = len(constraints.of_query(query))
    left = bound
    for forest in forests:
        for root_id in forest.root_ids:
            times = _claim_all(forest, root_id, prepared, totals, left)
            tree = forest.trees[root_id]
            if left is not None:
                left -= times
                if left == 0:
                    yield FilledAnchor(root_id, tree, times, stopped_by=None)
                    return
            effort.add_reasons(constraint_count * (1 + len(forest.offered(root_id))))
            yield FilledAnchor(root_id, tree, times, _stop(forest, root_id, groups))


def _fill_nothing(forests):
    """Yield a FilledAnchor of 0 times for each tree, for a request that names a missing tree."""
    for forest in forests:
        for root_id in forest.root_ids:
            tree = forest.trees[root_id]
            yield FilledAnchor(root_id, tree, times=0, stopped_by=_MISSING_TREE)


def _claim_all(forest, root_id, prepared, totals, most):
    """Claim at an anchor as often as the request fits; return how often. `most` may be None."""
    times = 0
    while most is None or times < most:
        candidate = anchors.first_at(forest, root_id, prepared)
        if candidate is None:
            break
        repeats = _repeats(candidate, totals)
        if most is not None:
            repeats = min(repeats, most - times)
        _claim(candidate, repeats)
        times += repeats
        if prepared.only_group is not None and forest.is_lone(root_id):
            # With one provider and one group, this candidate was claimed as often as there was
            # room.
            break
    return times


def _repeats(candidate, totals):
    """Return a lower bound on how many times in a row the search finds this candidate first.

    The search repeats its choice while each provider has room for the whole amount of each class in
    the query.
    """
    providers = candidate.forest.providers
    repeats = []
    for (provider_id, class_id), amount in candidate.amounts.items():
        room = providers[provider_id].rooms[class_id]
        spare = max(0, room.free - totals[class_id])
        # The search has just found this candidate, so it fits once, however little is left.
        repeats.append(spare // amount + 1)
    return min(repeats)


def _claim(candidate, times):
    """Take what a Candidate needs, this many times, from the rooms of its forest."""
    for (provider_id, class_id), amount in candidate.amounts.items():
        rooms = candidate.forest.providers[provider_id].rooms
        room = rooms[class_id]
        rooms[class_id] = room._replace(used=room.used + times * amount)


def _stop(forest, root_id, groups):
    """Return the first constraint that an anchor does not meet; see FilledAnchor.stopped_by."""
    host = Host(forest.providers[root_id], forest.offered(root_id))
    # If the host meets each constraint alone, it fails to meet all of them together.
    return next(constraints.each_unmet(host, groups), constraints.TOGETHER_UNMET).constraint
