"""Forests and a query -> candidates, one by one and no more than are asked for; pure.

A candidate is built at one anchor: a root, which stands for the one tree of the candidate whose
providers need not be sharing. There, every group gets its options, same_subtree takes some of
them away, and assignment.py chooses.
Source: doc/rules.rst, R1 to R11 and A1.
"""

import itertools
from dataclasses import dataclass

from placement.candidates import rules
from placement.candidates.assignment import Assignment, Effort, Slot
from placement.candidates.forests import Forest


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
    """Yield the candidates at all the anchors of an iterable of forests, each only once.

    one_provider_per_tree: never take from two providers of one tree.
    effort: an Effort, to which what the search tries is added.
    Order: all of one anchor and then the next; breadth first, one of each anchor in turn. Either
    way a forest is asked for only when the search gets there.
    """
    plan = _Plan(query, one_provider_per_tree, effort or Effort())
    seen = set()
    anchors = (
        _at_anchor_once(forest, root_id, plan, seen)
        for forest in forests
        for root_id in forest.root_ids
    )
    return _round_robin(anchors) if breadth_first else itertools.chain.from_iterable(anchors)


class _Plan:
    """What a query means at every anchor.

    slots          in the order of the groups
    same_subtrees  for each set of suffixes, the positions of its slots
    required       what the providers of the unsuffixed group must hit together
    """

    def __init__(self, query, one_provider_per_tree, effort):
        self.query = query
        self.one_provider_per_tree = one_provider_per_tree
        self.effort = effort
        self.slots = [slot for group in query.groups for slot in _slots(group)]
        self.same_subtrees = [
            [position for position, slot in enumerate(self.slots) if slot.suffix in suffixes]
            for suffixes in dict.fromkeys(query.same_subtrees)
            if len(suffixes) > 1
        ]
        self.required = next((g.required for g in query.groups if not g.is_granular), ())


def _slots(group):
    needs = tuple(group.amounts.items())
    if group.is_granular:
        return [Slot(group.suffix, needs, True)]
    return [Slot(group.suffix, (need,), False) for need in needs]


def _at_anchor_once(forest, root_id, plan, seen):
    """Yield the candidates of one anchor, except for those that another has given already.

    Only sharing providers have several anchors, so only a candidate of nothing else can come again.
    """
    for candidate in _at_anchor(forest, root_id, plan):
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


def _at_anchor(forest, root_id, plan):
    """Yield the candidates of one anchor, all different."""
    root = forest.providers[root_id]
    if not rules.is_anchor(root, plan.query):
        return
    options = _options(forest, root, plan.query.groups)
    if options is None:
        return
    assignment = Assignment(
        forest.providers,
        plan.slots,
        plan.required,
        plan.query.isolate,
        plan.one_provider_per_tree,
        plan.effort,
    )
    for narrowed in _below_tops(forest, options, plan.same_subtrees):
        for amounts, provider_ids in assignment.complete(narrowed):
            yield Candidate(forest, amounts, _providers_by_suffix(plan.slots, provider_ids))


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


def _options(forest, root, groups):
    """Return the ids of the providers that may serve each slot, or None if a slot has none."""
    providers = forest.trees[root.id]
    if root.id in forest.sharing:
        providers = providers + forest.sharing[root.id]
    options = []
    for group in groups:
        if group.is_granular:
            found = [_lone_providers(providers, group)]
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


def _below_tops(forest, options, same_subtrees):
    """Yield lists of options such that any choice from one of them satisfies same_subtree.

    Every choice that does is in exactly one of the lists.
    """
    pending = [iter([options])]
    while pending:
        narrowed = next(pending[-1], None)
        if narrowed is None:
            pending.pop()
        elif len(pending) > len(same_subtrees):
            yield narrowed
        else:
            pending.append(_below_one_top(forest, narrowed, same_subtrees[len(pending) - 1]))


def _below_one_top(forest, options, positions):
    """Yield the options for each choice of the provider above all the others of one same_subtree.

    That provider, the top, may serve several slots: the first of them is the one that chooses it.
    """
    members = [frozenset(options[position]) for position in positions]
    at_or_below = {}
    for provider_id in sorted(frozenset().union(*members)):
        for ancestor_id in forest.ancestors(provider_id):
            at_or_below.setdefault(ancestor_id, []).append(provider_id)
    for chooser, chooser_position in enumerate(positions):
        for top in options[chooser_position]:
            narrowed = list(options)
            for other, position in enumerate(positions):
                if other == chooser:
                    narrowed[position] = (top,)
                    continue
                narrowed[position] = tuple(
                    provider_id
                    for provider_id in at_or_below[top]
                    if provider_id in members[other] and (other > chooser or provider_id != top)
                )
                if not narrowed[position]:
                    break
            else:
                yield narrowed


def _providers_by_suffix(slots, provider_ids):
    """Return {suffix: ids of the providers that serve the group, each once}."""
    providers_by_suffix = {}
    for position, slot in enumerate(slots):
        provider_id = provider_ids[position]
        serving = providers_by_suffix.get(slot.suffix, ())
        if provider_id not in serving:
            providers_by_suffix[slot.suffix] = (*serving, provider_id)
    return providers_by_suffix
