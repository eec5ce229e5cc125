"""The names of a query: replaced by database keys, or refused in order.

Source: doc/explanation/rules.rst, Q5: a group that cannot be served hides the names after it.
"""

from typing import NamedTuple

import os_traits

from placement import exception
from placement.candidates import kinds
from placement.candidates.query import Group, ResolvedGroup, ResolvedQuery
from placement.db.subjects_of_names import Subject

# The trait that makes a provider a sharing one.
SHARING_TRAIT = os_traits.MISC_SHARES_VIA_AGGREGATE

# The subjects whose unknown names are refused, in order, and the error for each (Q5).
REFUSED = {
    Subject.RESOURCE_CLASSES: exception.UnknownResourceClassInQuery,
    Subject.TRAITS: lambda name, parameter: exception.UnknownTraits([name]),
}


class Unresolved(NamedTuple):
    """The first group of a query that has an unknown name, and the error for that name.

    error  None for an unknown tree, which is not an error: it just has no providers
    """

    group: Group
    error: exception.PlacementException | None


def refuse_unknown_of_root(query, names):
    """Raises: UnknownTraits for a trait of the root that is missing from the Names."""
    error = _unknown_name(query, kinds.OF_ROOT, names)
    if error is not None:
        raise error


def check_known(query, names):
    """Check that the Names have all classes and traits of a query's groups.

    Raises: UnknownTraits, UnknownResourceClass.
    """
    # A tree that does not exist is not an error.
    unresolved = first_unknown(query, with_unknown_trees(query, names))
    if unresolved is not None:
        raise unresolved.error


def sharing_trait_id(trait_ids):
    """Return the id of SHARING_TRAIT in {name: id}; None if the service was never started."""
    return trait_ids.get(SHARING_TRAIT)


def names_in(*queries):
    """Return {Subject: its names in some CandidateQueries}."""
    names_by_subject = {kind.subject: set() for kind in (*kinds.OF_ROOT, *kinds.OF_GROUP)}
    for query in queries:
        for _, asker, of_kinds in kinds.askers(query, kinds.OF_ROOT):
            for kind in of_kinds:
                names = map(kind.names_in, kind.named_values(asker))
                names_by_subject[kind.subject].update(*names)
    return names_by_subject


def with_unknown(query, names):
    """Return Names in which unknown names of a CandidateQuery have unused, negative ids."""
    ids_by_field = {}
    for subject, all_names in names_in(query).items():
        ids = names.ids_of(subject)
        unknown = sorted(all_names - ids.keys())
        unused_ids = {name: -number for number, name in enumerate(unknown, start=1)}
        ids_by_field[subject] = ids | unused_ids
    return names._replace(**ids_by_field)


def with_unknown_trees(query, names):
    """Return Names in which unknown trees, but no other unknown names, have unused ids."""
    return names._replace(trees=with_unknown(query, names).trees)


def first_unknown(query, names):
    """Return the first Unresolved group of a CandidateQuery, or None if all its names are known."""
    for group in query.groups:
        error = _unknown_name(group, kinds.OF_GROUP, names)
        if error or (group.in_tree is not None and group.in_tree not in names.trees):
            return Unresolved(group, error)
    return None


def _unknown_name(asker, of_kinds, names):
    """Return the exception for the first unknown class or trait of an asker, or None.

    An asker is a query or one of its groups. Classes come before traits, and required traits before
    forbidden ones.
    """
    for subject, error in REFUSED.items():
        ids = names.ids_of(subject)
        for kind in of_kinds:
            if kind.subject is subject:
                name = _first_missing(map(kind.names_in, kind.named_values(asker)), ids)
                if name is not None:
                    return error(name, kind.parameter)
    return None


def _first_missing(sets, ids):
    """Return the first name without an id, or None if each has one. The name may be empty."""
    return next((name for names in sets for name in sorted(names) if name not in ids), None)


def resolved(query, names):
    """Return the ResolvedQuery of a CandidateQuery without unknown names."""
    return ResolvedQuery(
        tuple(resolved_group(group, names) for group in query.groups),
        isolate=query.isolate,
        same_subtrees=query.same_subtrees,
        limit=query.limit,
        **_fields(query, kinds.OF_ROOT, names),
    )


def resolved_group(group, names):
    """Return the ResolvedGroup of a Group without unknown names."""
    return ResolvedGroup(group.suffix, **_fields(group, kinds.OF_GROUP, names))


def _fields(asker, of_kinds, names):
    """Return {field: value in keys} of a Group, or of a CandidateQuery's fields about the root."""
    fields = {}
    for kind in of_kinds:
        fields |= kind.resolved(asker, names)
    return fields


def known_aggregates(group, names):
    """Return `member_of` in database ids; an unknown aggregate is left out of its set."""
    return kinds.MEMBER_OF.resolved(group, names)["member_of"]


def parts_before(unresolved, query, names):
    """Yield the parts of a query before an Unresolved group, each as a ResolvedQuery.

    If the query asks for traits of the root, the first part has nothing else. Each of the other
    parts has these traits and one group.
    """
    of_root = _fields(query, kinds.OF_ROOT, names)
    if any(of_root.values()):
        yield ResolvedQuery((), **of_root)
    for group in query.groups[: query.groups.index(unresolved.group)]:
        yield ResolvedQuery((resolved_group(group, names),), **of_root)
