"""The constraints of a query, one by one: which does a host not meet, and what if one is given up?

A host is a root, the tree below it, and the sharing providers that the tree can use. Each
constraint is looked at alone, with the predicates of rules.py that the search uses, too; what all
of them together rule out, only the search can say.
Source: doc/explanation/rules.rst, R1 to R9.
"""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from placement.candidates import rules
from placement.candidates.query import ResolvedQuery
from placement.db.offers import Provider

TOGETHER = "together"
# Of these reasons, the smaller the limit, the closer is the provider.
_AT_LEAST = ("min_unit", "step_size")


class Host(NamedTuple):
    """A root, and the providers that can be used at it: its tree, and sharing ones."""

    root: Provider
    offered: list[Provider]


class Constraint(NamedTuple):
    """One thing that a query asks for.

    group  the suffix of the group, "" for the unsuffixed one; None for the whole query
    name   the parameter of the query, with not_member_of, forbidden and root_forbidden for what
           they exclude; `together` for what only the search refuses
    value  in keys: a class_id and an amount, a set of trait_ids or aggregate_ids, a root_id, or,
           for same_subtree, a set of suffixes
    """

    group: str | None
    name: str
    value: object


class Unmet(NamedTuple):
    """Why a host does not meet a constraint.

    why          of resources: one of rules.REASONS; otherwise None
    free         of resources: what is free on the provider that came closest
    fitting      of resources: the largest part of the amount that fits there
    provider_id  that provider, or None where it is the host as a whole
    unit         of resources: its max_unit, min_unit or step_size, where that is why
    serving      of what binds groups: who would serve each without it, as in a Candidate
    """

    constraint: Constraint
    why: str | None = None
    free: int | None = None
    fitting: int | None = None
    provider_id: int | None = None
    unit: int | None = None
    serving: Mapping[str, tuple[int, ...]] = MappingProxyType({})

    @property
    def limit(self):
        """Of resources: the number that stands against the amount, or None if it has none."""
        return self.free if self.why == "capacity" else self.unit

    @property
    def shortage(self):
        """The part of what is asked for that is missing: 1 where nothing can be said."""
        if self.constraint.name != "resources":
            return 1
        _, amount = self.constraint.value
        return (amount - self.fitting) / amount

    @property
    def gravity(self):
        """Of two with the same shortage, the smaller one is closer to being met."""
        if self.why is None:
            return 0, 0, 0
        limit = self.limit or 0
        reason = rules.REASONS.index(self.why)
        return reason, limit if self.why in _AT_LEAST else -limit, -self.free


TOGETHER_UNMET = Unmet(Constraint(None, TOGETHER, None))


def of_query(query):
    """Return the Constraints of a ResolvedQuery that a host meets or not, in their order."""
    found = [constraint for _, asked in by_group(query) for constraint in asked]
    found += [
        Constraint(None, "root_required", frozenset({trait_id}))
        for trait_id in sorted(query.root_required)
    ]
    if query.root_forbidden:
        found.append(Constraint(None, "root_forbidden", query.root_forbidden))
    return found


def by_group(query):
    """Return [(ResolvedGroup, its Constraints)] of a ResolvedQuery."""
    return [(group, _of_group(group)) for group in query.groups]


def _of_group(group):
    """Return the Constraints of a ResolvedGroup, each once."""
    asked = []
    if group.root_id is not None:
        asked.append(("in_tree", group.root_id))
    asked += [("member_of", aggregate_ids) for aggregate_ids in group.member_of]
    if group.not_member_of:
        asked.append(("not_member_of", group.not_member_of))
    asked += [("required", trait_ids) for trait_ids in group.required]
    if group.forbidden:
        asked.append(("forbidden", group.forbidden))
    asked += [("resources", need) for need in group.amounts.items()]
    return [Constraint(group.suffix, *each) for each in dict.fromkeys(asked)]


def binding(query):
    """Return the Constraints of a ResolvedQuery that bind its groups to each other."""
    found = []
    if query.isolate and sum(group.is_granular for group in query.groups) > 1:
        found.append(Constraint(None, "group_policy", "isolate"))
    found += [
        Constraint(None, "same_subtree", suffixes)
        for suffixes in dict.fromkeys(query.same_subtrees)
        if len(suffixes) > 1
    ]
    return found


def unmet(host, query, groups):
    """Return the Unmets of a Host, looked at constraint by constraint; `groups` is by_group(query).

    A granular group is served by one provider: its constraints are those that the closest provider
    does not meet. Of the unsuffixed group, each amount has a closest provider of its own.
    """
    found = []
    for group, asked in groups:
        if group.is_granular:
            found += _unmet_by_closest(host, group, asked)
        else:
            found += filter(None, (_unmet_by_host(host, group, each) for each in asked))
    for trait_id in sorted(query.root_required - host.root.traits):
        found.append(Unmet(Constraint(None, "root_required", frozenset({trait_id}))))
    if not query.root_forbidden.isdisjoint(host.root.traits):
        found.append(Unmet(Constraint(None, "root_forbidden", query.root_forbidden)))
    return found


def distance(unmets):
    """Return how far something is from meeting all: fewest constraints, then the least shortage."""
    return len(unmets), sum(each.shortage for each in unmets)


def _unmet_by_closest(host, group, asked):
    """Return the Unmets of a granular group, of the provider that comes closest to serving it."""
    found = []
    for provider in host.offered:
        unmets = _unmet_alone(provider, group, asked)
        if not unmets:
            return []
        found.append(unmets)
    return min(found, key=_nearness) if len(found) > 1 else found[0]


def _nearness(unmets):
    return *distance(unmets), [each.gravity for each in unmets]


def _nearness_of_one(unmet):
    return unmet.shortage, *unmet.gravity


def _unmet_by_host(host, group, asked):
    """Return the Unmet of one constraint of the unsuffixed group, or None."""
    value = asked.value
    if asked.name == "resources":
        return _unmet_amount_by_closest(host, asked)
    if asked.name == "in_tree":
        is_met = host.root.id == value
    elif asked.name == "not_member_of":
        is_met = value.isdisjoint(host.root.aggregates)
    elif asked.name == "member_of":
        is_met = any(not value.isdisjoint(each.aggregates) for each in host.offered)
    elif asked.name == "required":
        is_met = any(not value.isdisjoint(each.traits) for each in host.offered)
    else:
        asked_for = group.amounts.keys()
        offering = [each for each in host.offered if not asked_for.isdisjoint(each.rooms)]
        is_met = any(value.isdisjoint(each.traits) for each in offering or host.offered)
    return None if is_met else Unmet(asked)


def _unmet_amount_by_closest(host, asked):
    """Return the Unmet of an amount, of the provider that could give most of it, or None."""
    found = []
    for provider in host.offered:
        unmet = _unmet_amount(provider, asked)
        if unmet is None:
            return None
        found.append(unmet)
    return min(found, key=_nearness_of_one) if len(found) > 1 else found[0]


def _unmet_alone(provider, group, constraints):
    """Return what one provider does not meet of a granular group."""
    found = []
    for asked in constraints:
        value = asked.value
        if asked.name == "resources":
            each = _unmet_amount(provider, asked)
            if each is not None:
                found.append(each)
            continue
        if asked.name == "in_tree":
            is_met = rules.is_in_tree(provider, group)
        elif asked.name in ("member_of", "not_member_of"):
            is_met = value.isdisjoint(provider.aggregates) == (asked.name == "not_member_of")
        else:
            is_met = value.isdisjoint(provider.traits) == (asked.name == "forbidden")
        if not is_met:
            found.append(Unmet(asked, provider_id=provider.id))
    return found


def _unmet_amount(provider, asked):
    """Return the Unmet of a provider that cannot serve an amount alone, or None."""
    class_id, amount = asked.value
    room = provider.rooms.get(class_id)
    why = rules.why_not(room, amount)
    if why is None:
        return None
    if room is None:
        return Unmet(asked, why, 0, 0, provider.id)
    unit = getattr(room, why) if why in rules.UNITS else None
    free = max(0, room.capacity - room.used)
    return Unmet(asked, why, free, rules.largest_that_fits(room, amount), provider.id, unit)


def without(query, constraint):
    """Return a ResolvedQuery that gives a constraint up, and with it what cannot stay alone.

    A group goes that asks for nothing any more, and so does one without resources if no
    same_subtree names it any more (R9); a same_subtree loses their names. But a granular group that
    only loses its resources stays.
    """
    if constraint.name == "root_required":
        return dataclasses.replace(
            query, root_required=query.root_required - constraint.value
        )
    if constraint.name == "root_forbidden":
        return dataclasses.replace(query, root_forbidden=frozenset())
    if constraint.name == "group_policy":
        return dataclasses.replace(query, isolate=False)
    if constraint.name == "same_subtree":
        same_subtrees = tuple(each for each in query.same_subtrees if each != constraint.value)
        named = frozenset().union(*same_subtrees)
        groups = [group for group in query.groups if group.amounts or group.suffix in named]
        return _of_groups(dataclasses.replace(query, same_subtrees=same_subtrees), groups)
    groups = [
        _group_without(group, constraint) if group.suffix == constraint.group else group
        for group in query.groups
    ]
    return _of_groups(query, [group for group in groups if _is_served(group)])


def going_with(query, constraint):
    """Return what else `without` changes: [(Constraint, the one in its place or None)]."""
    relaxed = without(query, constraint)
    suffixes = frozenset(group.suffix for group in relaxed.groups)
    found = [
        (each, None)
        for group in query.groups
        if group.suffix not in suffixes
        for each in _of_group(group)
        if each != constraint
    ]
    for named in dict.fromkeys(query.same_subtrees):
        each = Constraint(None, "same_subtree", named)
        if each != constraint and not named <= suffixes:
            left = named & suffixes
            found.append((each, each._replace(value=left) if left else None))
    return found


def unbound(query, kept=()):
    """Return a ResolvedQuery whose groups are bound by nothing but these Constraints."""
    return dataclasses.replace(
        query,
        isolate=any(each.name == "group_policy" for each in kept),
        same_subtrees=tuple(each.value for each in kept if each.name == "same_subtree"),
    )


def instead(query, constraint, other):
    """Return a ResolvedQuery with another Constraint, of the same group and name, in its place."""
    if constraint.name == "root_required":
        root_required = query.root_required - constraint.value | other.value
        return dataclasses.replace(query, root_required=root_required)
    if constraint.name == "group_policy":
        return dataclasses.replace(query, isolate=other.value == "isolate")
    groups = [
        _group_instead(group, constraint, other) if group.suffix == constraint.group else group
        for group in query.groups
    ]
    return dataclasses.replace(query, groups=tuple(groups))


def _group_instead(group, constraint, other):
    if constraint.name == "in_tree":
        return dataclasses.replace(group, root_id=other.value)
    if constraint.name == "resources":
        amounts = dict(
            other.value if need == constraint.value else need for need in group.amounts.items()
        )
        return dataclasses.replace(group, amounts=amounts)
    sets = getattr(group, constraint.name)
    sets = tuple(other.value if each == constraint.value else each for each in sets)
    return dataclasses.replace(group, **{constraint.name: sets})


def _group_without(group, constraint):
    if constraint.name == "in_tree":
        return dataclasses.replace(group, root_id=None)
    if constraint.name == "resources":
        return without_class(group, constraint.value[0])
    if constraint.name in ("not_member_of", "forbidden"):
        return dataclasses.replace(group, **{constraint.name: frozenset()})
    sets = tuple(each for each in getattr(group, constraint.name) if each != constraint.value)
    return dataclasses.replace(group, **{constraint.name: sets})


def without_class(group, class_id):
    """Return a ResolvedGroup that does not ask for a class."""
    amounts = {each: amount for each, amount in group.amounts.items() if each != class_id}
    return dataclasses.replace(group, amounts=amounts)


def _is_served(group):
    """Does a provider have to be found for the group?"""
    return bool(group.amounts) or (group.is_granular and rules.asks_for_something(group))


def _of_groups(query, groups):
    suffixes = {group.suffix for group in groups}
    return ResolvedQuery(
        tuple(groups),
        query.isolate,
        tuple(each & suffixes for each in query.same_subtrees if each & suffixes),
        query.root_required,
        query.root_forbidden,
        query.limit,
    )
