"""What is asked of the candidates: in the names of a client, and in the keys of the database.

Source: doc/explanation/rules.rst, R1 to R11.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """One request group, in names of classes and traits and uuids of aggregates and providers.

    resources      class -> amount, at least 1; empty in a resource-less group
    required       every set must be hit: an AND of ORs
    forbidden      traits that no provider of the group may have
    member_of      every set must be hit: an AND of ORs; no provider hits an empty set
    not_member_of  aggregates that no provider of the group may be in
    in_tree        any provider of the wanted tree
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
        """Must one provider serve the whole group?"""
        return self.suffix != ""


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """A whole request: its groups, in order of first appearance, and what binds them together.

    isolate        granular groups are served by different providers
    same_subtrees  sets of suffixes; in each, one serving provider is above (or is) all the others
    root_required, root_forbidden  traits of the root of the candidate's non-sharing tree
    limit          the most candidates wanted; None for all
    """

    groups: tuple[Group, ...]
    isolate: bool = False
    same_subtrees: tuple[frozenset[str], ...] = ()
    root_required: frozenset[str] = frozenset()
    root_forbidden: frozenset[str] = frozenset()
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class ResolvedGroup:
    """A Group in the keys of the database.

    amounts  class_id -> amount
    root_id  the root of the wanted tree, for in_tree

    The rest is as in Group, with ids of traits and of aggregates.
    """

    suffix: str
    amounts: dict[int, int]
    required: tuple[frozenset[int], ...] = ()
    forbidden: frozenset[int] = frozenset()
    member_of: tuple[frozenset[int], ...] = ()
    not_member_of: frozenset[int] = frozenset()
    root_id: int | None = None

    @property
    def is_granular(self):
        """Must one provider serve the whole group?"""
        return self.suffix != ""

    def __hash__(self):
        # Groups are keys of caches, and a dict has no hash.
        return hash((self.suffix, frozenset(self.amounts.items()), self.required, self.member_of))

    @property
    def wish(self):
        """What is asked for: equal for groups that differ in nothing but their names."""
        return (
            tuple(self.amounts.items()),
            self.required,
            self.forbidden,
            self.member_of,
            self.not_member_of,
            self.root_id,
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
