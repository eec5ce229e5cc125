"""Forests and a query -> candidates, one by one and no more than are asked for; pure.

A candidate is built at one anchor, the root of its one tree whose providers need not be sharing.
There, every group gets its options, and assignment.py chooses among them.
Source: doc/explanation/rules.rst, R1 to R11 and A1.
"""

import itertools
from collections import Counter
from dataclasses import dataclass

from placement.candidates import rules
from placement.candidates.assignment import Assignment, Slot, Terms
from placement.candidates.effort import Effort
from placement.candidates.forests import Forest
from placement.candidates.nogoods import Nogoods


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is taken from which providers, and which of them serve which group.

    forest               the one in which it was found, with all of its providers
    amounts              (provider_id, class_id) -> amount, over all groups
    providers_by_suffix  a granular group has one provider, the unsuffixed group "" one or more
    """

    forest: Forest
    amounts: dict[tuple[int, int], int]
    providers_by_suffix: dict[str, tuple[int, ...]]


def search(forests, query, breadth_first=False, one_provider_per_tree=False, effort=None):
    """Yield the candidates at all anchors of an iterable of forests, each candidate once.

    one_provider_per_tree: never take from two providers of one tree.
    effort: an Effort, which counts what the search tries and finds.
    Order: all of one anchor and then the next; breadth first, one of each anchor in turn. Either
    way the next forest is taken only when the search gets there.
    Raises: SpentError.
    """
    plan = Plan(query, one_provider_per_tree, effort or Effort())
    seen = set()
    anchors = (
        at_anchor(forest, root_id, plan, seen)
        for forest in forests
        for root_id in forest.root_ids
    )
    return _round_robin(anchors) if breadth_first else itertools.chain.from_iterable(anchors)


class Plan:
    """What a query means at every anchor.

    groups   [(group, its number among the different wishes)], in their order
    only     the unsuffixed group, if there is no other; otherwise None
    totals   class_id -> what all groups ask of it; only classes that several groups ask for
    shared   the options of anchors that gave candidates of sharing providers alone
    """

    def __init__(self, query, one_provider_per_tree, effort):
        self.query = query
        wishes = {}
        self.groups = [(g, wishes.setdefault(g.wish, len(wishes))) for g in query.groups]
        unsuffixed = next((g for g in query.groups if not g.is_granular), None)
        self.only = unsuffixed if len(query.groups) == 1 else None
        self.effort = effort
        self.nogoods = Nogoods()
        self.totals = _totals(query.groups)
        self.shared = set()
        self.terms = Terms(
            slots=tuple(_slots(query)),
            required=unsuffixed.required if unsuffixed else (),
            isolate=query.isolate,
            one_provider_per_tree=one_provider_per_tree,
        )


def _totals(groups):
    amounts = [amount for group in groups for amount in group.amounts.items()]
    asked = Counter(class_id for class_id, _ in amounts)
    totals = Counter()
    for class_id, amount in amounts:
        if asked[class_id] > 1:
            totals[class_id] += amount
    return totals


def _slots(query):
    """Yield the slots in the order of the groups."""
    # Alone in a same_subtree, a group is above all the others.
    same_subtrees = [s for s in dict.fromkeys(query.same_subtrees) if len(s) > 1]
    for group in query.groups:
        if group.is_granular:
            numbers = [n for n, suffixes in enumerate(same_subtrees) if group.suffix in suffixes]
            yield Slot(group.suffix, tuple(group.amounts.items()), True, tuple(numbers))
        else:
            for need in group.amounts.items():
                yield Slot(group.suffix, (need,), False)


def first_at(forest, root_id, plan):
    """Return the first Candidate of an anchor, or None.

    Whether another anchor gives it, too, does not matter.
    Raises: SpentError.
    """
    if plan.only is not None and forest.is_lone(root_id):
        return next(_of_lone(forest, root_id, plan), None)
    options = _options_at(forest, root_id, plan)
    return None if options is None else next(_candidates(forest, options, plan), None)


def has_candidate(forest, root_id, plan):
    """Is there a candidate at an anchor? Otherwise as first_at."""
    return first_at(forest, root_id, plan) is not None


def at_anchor(forest, root_id, plan, seen):
    """Yield the candidates of one anchor, except for those that another has given already.

    Only sharing providers have several anchors, so only candidates of nothing else can repeat.
    """
    if plan.only is not None and forest.is_lone(root_id):
        yield from _of_lone(forest, root_id, plan)
        return
    options = _options_at(forest, root_id, plan)
    if options is None or _are_known(options, forest, plan):
        return
    for candidate in _candidates(forest, options, plan):
        if forest.sharing_ids and forest.sharing_ids.issuperset(
            itertools.chain.from_iterable(candidate.providers_by_suffix.values())
        ):
            identity = (
                frozenset(candidate.amounts.items()),
                tuple(candidate.providers_by_suffix.items()),
            )
            if identity in seen:
                continue
            seen.add(identity)
        yield candidate


def _of_lone(forest, root_id, plan):
    """Yield the one candidate of a lone provider, if it serves the only group of the query.

    It is what the general way finds, for most queries and hosts; with nothing to choose, there is
    nothing to search.
    """
    root, group = forest.providers[root_id], plan.only
    if (
        rules.is_anchor(root, plan.query)
        and rules.may_contribute(root, root, group)
        and rules.hits_all(root.traits, group.required)
        and all(rules.has_room(root, *need) for need in group.amounts.items())
    ):
        plan.effort.add_candidate()
        amounts = {(root_id, class_id): amount for class_id, amount in group.amounts.items()}
        yield Candidate(forest, amounts, {group.suffix: (root_id,)})


def _options_at(forest, root_id, plan):
    """Return the ids of the providers that may serve each slot, or None if a slot has none."""
    root = forest.providers[root_id]
    if not rules.is_anchor(root, plan.query):
        return None
    offered = forest.offered(root_id)
    if not _have_room_for_all(offered, plan.totals):
        return None
    return _options(offered, root, plan.groups)


def _candidates(forest, options, plan):
    """Yield the candidates of one anchor, all different."""
    assignment = Assignment(plan.terms, forest, plan.nogoods, plan.effort)
    for amounts, provider_ids in assignment.complete(options):
        yield Candidate(forest, amounts, _providers_by_suffix(plan.terms.slots, provider_ids))


def _have_room_for_all(providers, totals):
    """R11: do the providers together have what several groups ask of one class?"""
    for class_id, total in totals.items():
        rooms = [provider.rooms[class_id] for provider in providers if class_id in provider.rooms]
        if sum(max(0, rules.headroom(room)) for room in rooms) < total:
            return False
    return True


def _are_known(options, forest, plan):
    """Are all options sharing providers, and the same as at another anchor?"""
    if not all(map(forest.sharing_ids.issuperset, options)):
        return False
    choice = tuple(map(frozenset, options))
    if choice in plan.shared:
        return True
    plan.shared.add(choice)
    return False


def _round_robin(iterators):
    """Yield one item of each iterator in turn; the first round starts them, one by one."""
    while iterators:
        not_exhausted = []
        for iterator in iterators:
            for item in iterator:
                yield item
                not_exhausted.append(iterator)
                break
        iterators = not_exhausted


def _options(providers, root, groups):
    options = []
    alone = {}
    for group, wish in groups:
        if group.is_granular:
            if wish not in alone:
                alone[wish] = _lone_providers(providers, group)
            found = [alone[wish]]
        else:
            found = _contributors(providers, root, group)
        if not all(found):
            return None
        options += found
    return options


def _lone_providers(providers, group):
    """Return the ids of the providers that may serve a granular group."""
    if not rules.asks_for_something(group):
        return ()
    return tuple([p.id for p in providers if rules.may_serve_alone(p, group)])


def _contributors(providers, root, group):
    """Return the ids of the providers that may serve each class of the unsuffixed group."""
    allowed = [p for p in providers if rules.may_contribute(p, root, group)]
    return [
        tuple([p.id for p in allowed if rules.has_room(p, class_id, amount)])
        for class_id, amount in group.amounts.items()
    ]


def _providers_by_suffix(slots, provider_ids):
    """Return {suffix: ids of the providers that serve the group, each once}."""
    providers_by_suffix = {}
    for position, slot in enumerate(slots):
        provider_id = provider_ids[position]
        serving = providers_by_suffix.get(slot.suffix, ())
        if provider_id not in serving:
            providers_by_suffix[slot.suffix] = (*serving, provider_id)
    return providers_by_suffix
