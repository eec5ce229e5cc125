"""The constraints of a query: which of them a host does not meet, and queries without one of them.

A host is a root, the tree below it, and the sharing providers that the tree can use. Each
constraint is checked alone; only the search can tell what all of them together rule out. What is
specific to one kind of constraint is in kinds/.
Source: doc/explanation/rules.rst, R1 to R10.
"""

from typing import NamedTuple

from placement.candidates import kinds, rules
from placement.candidates.kinds.constraint import Constraint, Unmet
from placement.candidates.query import ResolvedGroup

TOGETHER_UNMET = Unmet(Constraint(group=None, kind=kinds.TOGETHER, value=None))


class GroupConstraints(NamedTuple):
    """The Constraints of one group of a query.

    group  None if these are the Constraints on the root
    wish   a number, the same for groups that ask for the same things; None for the root
    """

    group: ResolvedGroup | None
    constraints: list[Constraint]
    wish: int | None


def of_query(query):
    """Return the Constraints of a ResolvedQuery, in order, except those that bind its groups."""
    return [each for group in by_group(query) for each in group.constraints]


def by_group(query):
    """Return the GroupConstraints of a ResolvedQuery, those of the root last."""
    wishes = {}
    groups = [
        GroupConstraints(group, _of_group(group), wishes.setdefault(group.wish, len(wishes)))
        for group in query.groups
    ]
    on_root = _of_kinds(suffix=None, asker=query, of_kinds=kinds.OF_ROOT)
    return [*groups, GroupConstraints(group=None, constraints=on_root, wish=None)]


def _of_group(group):
    """Return the Constraints of a ResolvedGroup, each once."""
    return _of_kinds(group.suffix, group, kinds.OF_GROUP)


def _of_kinds(suffix, asker, of_kinds):
    """Return the Constraints of these kinds in an asker, each once.

    An asker is a ResolvedGroup, with its `suffix`, or a ResolvedQuery, whose `suffix` is None.
    """
    found = [Constraint(suffix, kind, value) for kind in of_kinds for value in kind.values(asker)]
    return list(dict.fromkeys(found))


def with_requirements(query):
    """Return [(Constraint, Requirement that some provider must meet)] of a ResolvedQuery."""
    return [
        (Constraint(suffix, kind, value), kind.requirement(value))
        for suffix, asker, of_kinds in kinds.askers(query, kinds.OF_ROOT)
        for kind in of_kinds
        if kind.role(asker).is_positive
        for value in kind.values(asker)
    ]


def binding(query):
    """Return the Constraints of a ResolvedQuery that bind its groups to each other."""
    return _of_kinds(suffix=None, asker=query, of_kinds=kinds.BINDING)


def unmet(host, groups):
    """Return the Unmets of a Host; see each_unmet."""
    return list(each_unmet(host, groups))


def each_unmet(host, groups):
    """Yield the Unmets of a Host, constraint by constraint; `groups` is by_group(query).

    A granular group is served by one provider, so its Unmets are those of the provider that comes
    closest to serving it. In the unsuffixed group, each amount has a closest provider of its own.
    """
    unmets_by_wish = {}
    for group, constraints, wish in groups:
        if group is None:
            for constraint in constraints:
                if not constraint.kind.is_met_by(host.root, constraint.value, group=None):
                    yield Unmet(constraint)
        elif group.is_granular:
            # The work is done once for groups that ask for the same things.
            if wish not in unmets_by_wish:
                unmets_by_wish[wish] = _unmet_by_closest(host, group, constraints)
            # The Unmets are those of the first group with this wish; only the constraints differ.
            for position, (_, *the_rest) in unmets_by_wish[wish]:
                yield Unmet(constraints[position], *the_rest)
        else:
            for constraint in constraints:
                unmet = constraint.kind.unmet_at(host, constraint, group)
                if unmet is not None:
                    yield unmet


def distance(unmets):
    """Return a sort key: fewest constraints unmet first, then the least shortage."""
    return len(unmets), sum(each.shortage for each in unmets)


def _unmet_by_closest(host, group, constraints):
    """Return [(position in `constraints`, Unmet)] for the provider closest to serving a group.

    `constraints` are those of the group. The list is empty if a provider can serve the group.
    """
    unmets_of_each = []
    for provider in host.offered:
        unmets = _unmet_alone(provider, group, constraints)
        if not unmets:
            return []
        unmets_of_each.append(unmets)
    return min(unmets_of_each, key=_nearness) if len(unmets_of_each) > 1 else unmets_of_each[0]


def _nearness(positions_and_unmets):
    """Return a sort key: the distance, then how severe each Unmet is."""
    unmets = [unmet for _, unmet in positions_and_unmets]
    return *distance(unmets), [unmet.severity for unmet in unmets]


def _unmet_alone(provider, group, constraints):
    """Return [(position in `constraints`, Unmet)] of one provider for a granular group."""
    positions_and_unmets = []
    for position, constraint in enumerate(constraints):
        unmet = constraint.kind.unmet_by(provider, constraint, group)
        if unmet is not None:
            positions_and_unmets.append((position, unmet))
    return positions_and_unmets


def without(query, constraint):
    """Return a ResolvedQuery without a constraint, and without what depends on it.

    Groups that no longer ask for anything are dropped (R9). So are groups without resources that no
    same_subtree names any more. Their suffixes are removed from every same_subtree. But a granular
    group that loses only its resources is kept.
    """
    if constraint.group is None:
        return constraint.kind.without(query, constraint.value)
    groups = [
        constraint.kind.without(group, constraint.value)
        if group.suffix == constraint.group
        else group
        for group in query.groups
    ]
    return query.of_groups([group for group in groups if _needs_provider(group)])


def dropped_along_with(query, constraint):
    """Return the other changes that `without` makes: [(Constraint, its replacement or None)]."""
    relaxed = without(query, constraint)
    suffixes = frozenset(group.suffix for group in relaxed.groups)
    changes = [
        (other, None)
        for group in query.groups
        if group.suffix not in suffixes
        for other in _of_group(group)
        if other != constraint
    ]
    for named in dict.fromkeys(query.same_subtrees):
        other = Constraint(group=None, kind=kinds.SAME_SUBTREE, value=named)
        if other != constraint and not named <= suffixes:
            left = named & suffixes
            changes.append((other, other._replace(value=left) if left else None))
    return changes


def bound_only_by(query, kept=()):
    """Return a ResolvedQuery in which only these Constraints bind its groups to each other."""
    for kind in kinds.BINDING:
        query = kind.with_values(query, [each.value for each in kept if each.kind is kind])
    return query


def replaced(query, constraint, other):
    """Return a ResolvedQuery with `other`, of the same group and kind, in place of a Constraint."""

    def replaced(asker):
        return constraint.kind.replaced(asker, constraint.value, other.value)

    if constraint.group is None:
        return replaced(query)
    groups = [
        replaced(group) if group.suffix == constraint.group else group for group in query.groups
    ]
    return query.of_groups(groups)


def _needs_provider(group):
    """Return whether a provider has to be found for the group."""
    return bool(group.amounts) or (group.is_granular and rules.asks_for_something(group))
