"""What a candidate query asks for, in the client's names and in the keys of the database.

Source: doc/explanation/rules.rst, R1 to R11.
"""

import dataclasses
import operator
from collections.abc import Callable
from dataclasses import dataclass, field

from placement.candidates import kinds
from placement.candidates.kinds.kind import Role


@dataclass(frozen=True, slots=True)
class Group:
    """One request group, with names of classes and traits, and uuids of aggregates and providers.

    resources      class -> amount, at least 1; empty in a resource-less group
    required       every set must be hit: an AND of ORs. ({A}, {B, C}) means: A, and B or C
    forbidden      traits that no provider of the group may have
    member_of      every set must be hit: an AND of ORs; no provider hits an empty set
    not_member_of  aggregates that no provider of the group may be in
    in_tree        the uuid of any provider in the wanted tree
    """

    suffix: str
    resources: dict[str, int]
    required: tuple[frozenset[str], ...] = ()
    forbidden: frozenset[str] = frozenset()
    member_of: tuple[frozenset[str], ...] = ()
    not_member_of: frozenset[str] = frozenset()
    in_tree: str | None = None

    @property
    def is_granular(self):
        """Whether one provider must serve the whole group."""
        return self.suffix != ""


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """A whole query: its groups, in order of first appearance, and the constraints that bind them.

    isolate        granular groups are served by different providers
    same_subtrees  sets of suffixes; in each, one serving provider is above all the others
    root_required, root_forbidden  traits of the root of the candidate's non-sharing tree
    limit          the most candidates wanted; None for all
    """

    groups: tuple[Group, ...]
    isolate: bool = False
    same_subtrees: tuple[frozenset[str], ...] = ()
    root_required: frozenset[str] = frozenset()
    root_forbidden: frozenset[str] = frozenset()
    limit: int | None = None


def _requirements(asker, of_kinds, role):
    """Return the Requirements that have a Role in a ResolvedGroup or ResolvedQuery."""
    return [
        kind.requirement(value)
        for kind in of_kinds
        if kind.role(asker) is role
        for value in kind.values(asker)
    ]


@dataclass(frozen=True, slots=True)
class ResolvedGroup:
    """A Group in the keys of the database.

    amounts      class_id -> amount
    root_id      the root of the wanted tree, for in_tree; negative if that tree is unknown
    unwanted     ((field of Provider, keys), ...): what no provider of the group may have
    checks       ((predicate of a kind, value), ...): what a provider has to meet to serve it alone

    The rest is as in Group, with ids of traits and of aggregates.
    """

    suffix: str
    amounts: dict[int, int]
    required: tuple[frozenset[int], ...] = ()
    forbidden: frozenset[int] = frozenset()
    member_of: tuple[frozenset[int], ...] = ()
    not_member_of: frozenset[int] = frozenset()
    root_id: int | None = None
    unwanted: tuple[tuple[str, frozenset[int]], ...] = field(init=False, compare=False, repr=False)
    checks: tuple[tuple[Callable, object], ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self):
        """Set `unwanted`, [(field of Provider, keys)], and `checks`, [(predicate, value)]."""
        # The search needs these for every provider, so they are computed once. The class is frozen.
        unwanted = [each for kind in kinds.OF_GROUP for each in kind.unwanted(self)]
        object.__setattr__(self, "unwanted", tuple(unwanted))
        checks = [(kind.is_met_by, each) for kind in kinds.OF_GROUP for each in kind.values(self)]
        object.__setattr__(self, "checks", tuple(checks))

    @property
    def is_granular(self):
        """Whether one provider must serve the whole group."""
        return self.suffix != ""

    @property
    def taken(self):
        """The Requirements for what is taken from providers: one for each amount."""
        return _requirements(self, kinds.OF_GROUP, Role.GIVER)

    @property
    def required_besides(self):
        """The other Requirements, each of which some provider of the group must meet."""
        return _requirements(self, kinds.OF_GROUP, Role.ANY)

    @property
    def required_of_each(self):
        """The Requirements that every provider of the group must meet."""
        return _requirements(self, kinds.OF_GROUP, Role.EACH)

    @property
    def excluded(self):
        """The Requirements that no provider of the group may meet."""
        return _requirements(self, kinds.OF_GROUP, Role.NONE)

    @property
    def required_of_root(self):
        """The Requirements that the root must meet, whichever provider serves the group."""
        return _requirements(self, self._at_root, Role.EACH)

    @property
    def excluded_of_root(self):
        """The Requirements that the root may not meet, whichever provider serves the group."""
        return _requirements(self, self._at_root, Role.NONE)

    @property
    def _at_root(self):
        """The kinds that the root has to meet, whichever provider serves the group."""
        return () if self.is_granular else [each for each in kinds.OF_GROUP if each.counts_at_root]

    def __hash__(self):
        # Groups are keys of caches, and a dict is not hashable.
        return hash((self.suffix, frozenset(self.amounts.items()), self.required, self.member_of))

    @property
    def wish(self):
        """The content of the group: equal for groups that differ only in their suffixes."""
        return (tuple(self.amounts.items()), *_rest_of_wish(self))


# A wish has every compared field but the suffix, so that a group never gets the providers that were
# found for a group that asks for less.
_rest_of_wish = operator.attrgetter(
    *(
        each.name
        for each in dataclasses.fields(ResolvedGroup)
        if each.compare and each.name not in ("suffix", "amounts")
    )
)


@dataclass(frozen=True, slots=True)
class ResolvedQuery:
    """A CandidateQuery of ResolvedGroups, with ids of traits."""

    groups: tuple[ResolvedGroup, ...]
    isolate: bool = False
    same_subtrees: tuple[frozenset[str], ...] = ()
    root_required: frozenset[int] = frozenset()
    root_forbidden: frozenset[int] = frozenset()
    limit: int | None = None

    @property
    def required_of_root(self):
        """The Requirements that the root must meet."""
        return _requirements(self, kinds.OF_ROOT, Role.ANY)

    @property
    def excluded_of_root(self):
        """The Requirements that the root may not meet."""
        return _requirements(self, kinds.OF_ROOT, Role.NONE)

    def of_groups(self, groups):
        """Return the query with only these of its groups; same_subtrees lose the other suffixes."""
        suffixes = {group.suffix for group in groups}
        same_subtrees = tuple(each & suffixes for each in self.same_subtrees if each & suffixes)
        return dataclasses.replace(self, groups=tuple(groups), same_subtrees=same_subtrees)
