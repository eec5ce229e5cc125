"""What is asked of the candidates: values, in the words of a client.

Source: contract of the candidates, section 1 (request group).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Group:
    """One request group. Keys are names after `parse`, database ids after `resolved`.

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


@dataclass(frozen=True, slots=True)
class Names:
    """What the names of a query are called in the database.

    root_ids is keyed by the uuid of any provider of a tree.
    """

    class_ids: Mapping[str, int]
    trait_ids: Mapping[str, int]
    aggregate_ids: Mapping[str, int]
    root_ids: Mapping[str, int]


def unknown_root_trait(query, trait_ids):
    """Return a trait of the root that does not exist, or None."""
    return _unknown([query.root_required, query.root_forbidden], trait_ids)


def unknown_class(group, class_ids):
    """Return the first resource class of the group that does not exist, or None."""
    return next((name for name in group.resources if name not in class_ids), None)


def unknown_trait(group, trait_ids):
    """Return the first trait of the group that does not exist, or None; required ones first."""
    return _unknown([*group.required, group.forbidden], trait_ids)


def resolved(query, names):
    """Return the query with database ids in the place of names.

    Unknown aggregates are left out: nobody is in them. An unknown class, trait or tree is a
    KeyError, because the caller has answered for those before.
    """
    return replace(
        query,
        groups=tuple(_resolved_group(group, names) for group in query.groups),
        root_required=_ids(query.root_required, names.trait_ids),
        root_forbidden=_ids(query.root_forbidden, names.trait_ids),
    )


def _resolved_group(group, names):
    tree = group.in_tree
    return replace(
        group,
        resources={names.class_ids[name]: amount for name, amount in group.resources.items()},
        required=tuple(_ids(traits, names.trait_ids) for traits in group.required),
        forbidden=_ids(group.forbidden, names.trait_ids),
        member_of=known_aggregates(group, names),
        not_member_of=_known_ids(group.not_member_of, names.aggregate_ids),
        in_tree=None if tree is None else names.root_ids[tree],
    )


def known_aggregates(group, names):
    """Return `member_of` in database ids; an aggregate that nobody knows is left out of its set."""
    return tuple(_known_ids(some, names.aggregate_ids) for some in group.member_of)


def _unknown(sets, ids):
    return next((name for names in sets for name in sorted(names) if name not in ids), None)


def _ids(names, ids):
    return frozenset(ids[name] for name in names)


def _known_ids(names, ids):
    return frozenset(ids[name] for name in names if name in ids)
