"""Forests and a query -> candidates, built one by one, only as many as are taken; pure.

A candidate is built at one anchor: the root of the one tree from which it may take any provider.
From all other trees it takes only sharing providers. At the anchor, each group gets its options.
assignment.py chooses among them, once for all anchors with equal problems (problem.py).
Source: doc/explanation/rules.rst, R1 to R11 and A1.
"""

import itertools
from collections import Counter
from typing import NamedTuple

from placement.candidates import rules
from placement.candidates.effort import Effort
from placement.candidates.forests import Forest
from placement.candidates.solver import problem as problems
from placement.candidates.solver.assignment import Assignment, Way
from placement.candidates.solver.nogoods import Nogoods
from placement.candidates.solver.problem import Slot, Terms
from placement.db.provider_room import Provider

# The cost, in checks, of a group in a PreparedQuery, of an anchor, and of each group at an anchor.
CHECKS_OF_A_PREPARED_GROUP = 12
CHECKS_OF_AN_ANCHOR = 4
CHECKS_OF_A_GROUP = 2
# How many same_subtrees can be searched for a group in the time of one check.
SUBTREES_IN_A_CHECK = 16
# The cost, also in checks, of starting a search for one candidate, and of each slot in it. There
# may be several such searches for each host, so even the starts add up.
CHECKS_OF_A_START = 16
CHECKS_OF_A_SLOT = 4


class Candidate(NamedTuple):
    """The amounts to take from providers, and the providers that serve each group.

    It is a tuple because there may be many thousands, and tuples are the quickest to make.

    forest   the Forest in which it was found, which has all of its providers
    offered  the providers of its anchor
    way      which providers, by their places in `offered`; candidates of many anchors may share it
    """

    forest: Forest
    offered: list[Provider]
    way: Way

    @property
    def providers(self):
        """The providers that are taken from."""
        return [self.offered[place] for place in self.way.taken]

    @property
    def amounts(self):
        """(provider_id, class_id) -> amount, over all groups."""
        return {
            (self.offered[place].id, class_id): amount
            for place, needs in self.way.taken.items()
            for class_id, amount in needs
        }

    @property
    def providers_by_suffix(self):
        """Suffix -> the ids of the providers that serve the group."""
        return {
            suffix: tuple(self.offered[place].id for place in places)
            for suffix, places in self.way.serving.items()
        }


def search(forests, query, breadth_first=False, one_provider_per_tree=False, effort=None):
    """Yield the candidates at all anchors of an iterable of forests, each candidate once.

    one_provider_per_tree: never take from two providers of one tree.
    effort: an Effort, which counts what the search tries and finds.
    Order: all of one anchor, then the next; breadth first, one of each anchor in turn. Either way
    the next forest is taken only when the search gets there.
    Raises: SpentError.
    """
    prepared = prepare(query, one_provider_per_tree, effort or Effort())
    seen = set()
    anchors = (
        at_anchor(forest, root_id, prepared, seen)
        for forest in forests
        for root_id in forest.root_ids
    )
    return _round_robin(anchors) if breadth_first else itertools.chain.from_iterable(anchors)


class PreparedQuery:
    """A ResolvedQuery, and what the search needs to know about it at every anchor.

    groups          [(group, its number among the different wishes)], in their order
    checks          {number of a wish: the most checks that one provider needs for it}
    only_group      the unsuffixed group, if there is no other; otherwise None
    way_of_lone     the Way in which a lone provider serves only_group; None if only_group is None
    shared_choices  the options of each earlier anchor at which all options are sharing providers
    """

    def __init__(self, query, effort, groups, checks, only_group, way_of_lone, terms):
        self.query = query
        self.effort = effort
        self.groups = groups
        self.checks = checks
        self.only_group = only_group
        self.way_of_lone = way_of_lone
        self.terms = terms
        self.shared_choices = set()
        self._nogoods = Nogoods()
        # Problem -> an iterator over its Ways, which begins at the first one.
        self._ways = {}

    def ways(self, problem):
        """Yield the Ways of a Problem."""
        return Assignment(self.terms, problem, self._nogoods, self.effort).ways()

    def shared_ways(self, problem):
        """Return an iterator over the Ways of a Problem. Equal Problems share the Ways."""
        known = self._ways.get(problem)
        # tee makes two iterators: one stays at the first Way, for the next equal Problem.
        self._ways[problem], ways = itertools.tee(self.ways(problem) if known is None else known)
        return ways


def prepare(query, one_provider_per_tree, effort):
    """Return the PreparedQuery of a ResolvedQuery. Raises: SpentError."""
    checks_of_each = CHECKS_OF_A_PREPARED_GROUP + len(query.same_subtrees) // SUBTREES_IN_A_CHECK
    effort.add_checks(len(query.groups) * checks_of_each)
    # Groups that ask for the same things get the same number.
    wishes = {}
    groups = [(g, wishes.setdefault(g.wish, len(wishes))) for g in query.groups]
    unsuffixed = next((g for g in query.groups if not g.is_granular), None)
    only_group = unsuffixed if len(query.groups) == 1 else None
    terms = Terms(
        slots=tuple(_slots(query)),
        totals=_totals(query.groups),
        required=unsuffixed.required if unsuffixed else (),
        isolate=query.isolate,
        one_provider_per_tree=one_provider_per_tree,
    )
    return PreparedQuery(
        query,
        effort,
        groups,
        checks={number: _checks_of(g) for g, number in groups},
        only_group=only_group,
        way_of_lone=None if only_group is None else _way_of_lone(only_group),
        terms=terms,
    )


def _way_of_lone(group):
    """Return the Way in which a lone provider serves the unsuffixed group."""
    needs = tuple(group.amounts.items())
    # The lone provider is the only one offered, so its place is 0.
    return Way(taken={0: needs} if needs else {}, serving={group.suffix: (0,)})


def _totals(groups):
    """Return {class_id: the sum over the groups} for the classes that several slots need."""
    amounts = [amount for group in groups for amount in group.amounts.items()]
    slots_by_class_id = Counter(class_id for class_id, _ in amounts)
    totals = Counter()
    for class_id, amount in amounts:
        if slots_by_class_id[class_id] > 1:
            totals[class_id] += amount
    return totals


def _slots(query):
    """Yield the slots in the order of the groups: one for a granular group, else one per class."""
    same_subtrees = rules.binding_subtrees(query.same_subtrees)
    for group in query.groups:
        if group.is_granular:
            numbers = [n for n, suffixes in enumerate(same_subtrees) if group.suffix in suffixes]
            needs = tuple(group.amounts.items())
            yield Slot(group.suffix, needs, is_granular=True, same_subtrees=tuple(numbers))
        else:
            for need in group.amounts.items():
                yield Slot(group.suffix, (need,), is_granular=False)


def first_at(forest, root_id, prepared):
    """Return the first Candidate of an anchor, or None.

    Another anchor may give the same one.
    Raises: SpentError.
    """
    return next(each_at(forest, root_id, prepared), None)


def each_at(forest, root_id, prepared):
    """Yield the Candidates of an anchor; another anchor may give the same ones.

    Raises: SpentError.
    """
    if prepared.only_group is not None and forest.is_lone(root_id):
        yield from _of_lone(forest, root_id, prepared)
        return
    offered = forest.offered(root_id)
    options = _options_at(forest.providers[root_id], offered, prepared)
    if options is None:
        return
    prepared.effort.add_checks(CHECKS_OF_A_START + CHECKS_OF_A_SLOT * len(prepared.terms.slots))
    # The Ways are not shared: `fit` builds an unlimited number of problems, claim after claim.
    ways = prepared.ways(problems.build(prepared.terms, forest, offered, options))
    yield from _candidates(forest, offered, ways, prepared)


def has_candidate(forest, root_id, prepared):
    """Return whether there is a candidate at an anchor. Raises: SpentError."""
    if not prepared.groups:
        # The search would find one candidate, which takes nothing.
        prepared.effort.add_checks(CHECKS_OF_AN_ANCHOR)
        return rules.is_anchor(forest.providers[root_id], prepared.query)
    return first_at(forest, root_id, prepared) is not None


def at_anchor(forest, root_id, prepared, seen):
    """Yield the candidates of one anchor, except for those that another has given already.

    Only sharing providers can be used at several anchors, so only candidates made of them alone can
    repeat. `seen` is a set that identifies those given so far; new ones are added to it.
    """
    if prepared.only_group is not None and forest.is_lone(root_id):
        yield from _of_lone(forest, root_id, prepared)
        return
    offered = forest.offered(root_id)
    options = _options_at(forest.providers[root_id], offered, prepared)
    if options is None or (forest.sharing_ids and _are_known(options, forest, offered, prepared)):
        return
    ways = prepared.shared_ways(problems.build(prepared.terms, forest, offered, options))
    for candidate in _candidates(forest, offered, ways, prepared):
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


def _of_lone(forest, root_id, prepared):
    """Yield the one candidate of a lone provider, if it serves the only group of the query.

    This is a shortcut for most queries and hosts. The result is that of the search: without a
    choice, there is nothing to search.
    """
    root, group = forest.providers[root_id], prepared.only_group
    # The only group has the first wish, number 0.
    prepared.effort.add_checks(prepared.checks[0])
    if (
        rules.is_anchor(root, prepared.query)
        and rules.may_contribute(root, root, group)
        and rules.hits_all(root.traits, group.required)
        and all(root.has_room(*need) for need in group.amounts.items())
    ):
        prepared.effort.add_candidate()
        yield Candidate(forest, forest.trees[root_id], prepared.way_of_lone)


def _options_at(root, offered, prepared):
    """Return what `_options` does, or None if the root or the room rules out all candidates."""
    if not rules.is_anchor(root, prepared.query):
        return None
    prepared.effort.add_checks(CHECKS_OF_AN_ANCHOR + len(prepared.terms.totals) * len(offered))
    if not _have_room_for_all(offered, prepared.terms.totals):
        return None
    return _options(offered, root, prepared)


def _candidates(forest, offered, ways, prepared):
    """Yield the candidates of one anchor, all different."""
    for way in ways:
        prepared.effort.add_candidate()
        yield Candidate(forest, offered, way)


def _have_room_for_all(providers, totals):
    """R11: return whether the providers together have as much of each class as the groups need."""
    for class_id, total in totals.items():
        rooms = [provider.rooms[class_id] for provider in providers if class_id in provider.rooms]
        # Overuse of a provider takes nothing from what is free on the others.
        if sum(max(0, room.headroom) for room in rooms) < total:
            return False
    return True


def _are_known(options, forest, offered, prepared):
    """Return whether all options are sharing providers, the same as at an earlier anchor.

    If they are new, they are remembered.
    """
    choice = tuple(frozenset(offered[place].id for place in places) for places in options)
    if not all(map(forest.sharing_ids.issuperset, choice)):
        return False
    if choice in prepared.shared_choices:
        return True
    prepared.shared_choices.add(choice)
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


def _options(offered, root, prepared):
    """Return, for each slot, the places in `offered` of the providers that may serve it.

    Return None if a slot has none.
    """
    options = []
    places_by_wish = {}
    checks = 0
    for group, wish in prepared.groups:
        checks += CHECKS_OF_A_GROUP
        if not group.is_granular:
            checks += prepared.checks[wish] * len(offered)
            options_of_group = _contributors(offered, root, group)
        else:
            if wish not in places_by_wish:
                checks += prepared.checks[wish] * len(offered)
                places_by_wish[wish] = _lone_providers(offered, group)
            options_of_group = [places_by_wish[wish]]
        if not all(options_of_group):
            options = None
            break
        options += options_of_group
    prepared.effort.add_checks(checks)
    return None if options is None else tuple(options)


def _checks_of(group):
    """Return the most checks that a provider needs for this group."""
    return len(group.amounts) + len(group.required) + len(group.member_of) + 1


def _lone_providers(offered, group):
    """Return the places in `offered` of the providers that may serve a granular group."""
    if not rules.asks_for_something(group):
        return ()
    class_ids = group.amounts.keys()
    return tuple(
        [
            place
            for place, provider in enumerate(offered)
            if class_ids <= provider.rooms.keys() and rules.may_serve_alone(provider, group)
        ]
    )


def _contributors(offered, root, group):
    """Return, for each class of the unsuffixed group, the places of providers that may serve it.

    Places are positions in `offered`.
    """
    class_ids = group.amounts.keys()
    allowed = [
        (place, provider)
        for place, provider in enumerate(offered)
        if not class_ids.isdisjoint(provider.rooms)
        and rules.may_contribute(provider, root, group)
    ]
    return [
        tuple([place for place, provider in allowed if provider.has_room(class_id, amount)])
        for class_id, amount in group.amounts.items()
    ]
