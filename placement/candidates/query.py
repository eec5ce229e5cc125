"""What a request for allocation candidates asks, free of HTTP, microversions and the database.

Source: contract of the candidates, sections 1 (request group) and 2 (grammar).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """One request group. Keys are names after parsing, database ids after `resolved`.

    resources      class -> amount, at least 1; empty in a resource-less group
    required       every set must be hit: an AND of ORs
    forbidden      traits that no provider of the group may have
    member_of      every set must be hit: an AND of ORs; an empty set is hit by nobody
    not_member_of  aggregates that no provider of the group may be in
    in_tree        uuid of any provider of the wanted tree; resolved: the id of its root
    """

    suffix: str
    resources: dict
    required: tuple[frozenset, ...] = ()
    forbidden: frozenset = frozenset()
    member_of: tuple[frozenset, ...] = ()
    not_member_of: frozenset = frozenset()
    in_tree: str | int | None = None

    @property
    def is_granular(self):
        """Tell whether one provider must serve the whole group."""
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
    root_required: frozenset = frozenset()
    root_forbidden: frozenset = frozenset()
    limit: int | None = None
