"""The names of a query, replaced by the keys of the database, or refused in order.

Source: doc/explanation/rules.rst, Q5: a group that cannot be served hides the names after it.
"""

from typing import NamedTuple

import os_traits

from placement import exception
from placement.candidates.query import Group, ResolvedGroup, ResolvedQuery
from placement.db import names as db_names


class Unknown(NamedTuple):
    """The first group of a query that has an unknown name, and the error that it would raise.

    error  None for an unknown tree, which is not an error: no provider is in it
    """

    group: Group
    error: exception.PlacementException | None


def look_up(conn, query):
    """Return the Names of everything in a CandidateQuery, and of the trait of sharing providers.

    Cost: one query.
    Raises: UnknownTraits for those of the root, which no other name hides.
    """
    names = known(conn, query)
    trait = _first_missing([query.root_required, query.root_forbidden], names.traits)
    if trait is not None:
        raise exception.UnknownTraits([trait])
    return names


def known(conn, query):
    """As look_up; whatever is unknown is missing in the Names."""
    wanted = names_in(query)
    wanted["traits"] |= {os_traits.MISC_SHARES_VIA_AGGREGATE}
    return db_names.resolve(conn, **wanted)


def names_in(query):
    """Return {kind: the names of that kind in a CandidateQuery}; kinds are fields of Names."""
    groups = query.groups
    return {
        "resource_classes": {name for group in groups for name in group.resources},
        "traits": query.root_required.union(
            query.root_forbidden,
            *(group.forbidden for group in groups),
            *(traits for group in groups for traits in group.required),
        ),
        "aggregates": frozenset().union(
            *(group.not_member_of for group in groups),
            *(uuids for group in groups for uuids in group.member_of),
        ),
        "trees": {group.in_tree for group in groups} - {None},
    }


def with_unknown(query, names):
    """Return Names in which what is unknown has ids that nothing has."""
    made = {}
    for kind, all_names in names_in(query).items():
        ids = getattr(names, kind)
        unknown = sorted(all_names - ids.keys())
        made[kind] = ids | {name: -number for number, name in enumerate(unknown, start=1)}
    return names._replace(**made)


def first_unknown(query, names):
    """Return the first Unknown of a CandidateQuery, or None if all its names are known."""
    for group in query.groups:
        error = _unknown_name(group, names)
        if error or (group.in_tree is not None and group.in_tree not in names.trees):
            return Unknown(group, error)
    return None


def _unknown_name(group, names):
    """Return the exception for the first unknown class or trait of a group, or None.

    Classes come before traits, required traits before forbidden ones.
    """
    name = _first_missing(([name] for name in group.resources), names.resource_classes)
    if name is not None:
        return exception.UnknownResourceClass(name=name)
    trait = _first_missing([*group.required, group.forbidden], names.traits)
    if trait is not None:
        return exception.UnknownTraits([trait])
    return None


def _first_missing(sets, ids):
    """Return the first name without an id, which may be the empty one, or None."""
    return next((name for names in sets for name in sorted(names) if name not in ids), None)


def resolved(query, names):
    """Return the ResolvedQuery of a CandidateQuery without unknown names."""
    return ResolvedQuery(
        tuple(resolved_group(group, names) for group in query.groups),
        query.isolate,
        query.same_subtrees,
        _ids(query.root_required, names.traits),
        _ids(query.root_forbidden, names.traits),
        query.limit,
    )


def resolved_group(group, names):
    """Return the ResolvedGroup of a Group without unknown names."""
    return ResolvedGroup(
        group.suffix,
        {names.resource_classes[name]: amount for name, amount in group.resources.items()},
        tuple(_ids(traits, names.traits) for traits in group.required),
        _ids(group.forbidden, names.traits),
        known_aggregates(group, names),
        _known_ids(group.not_member_of, names.aggregates),
        None if group.in_tree is None else names.trees[group.in_tree],
    )


def known_aggregates(group, names):
    """Return `member_of` in database ids; an unknown aggregate is left out of its set."""
    return tuple(_known_ids(uuids, names.aggregates) for uuids in group.member_of)


def parts_before(unknown, query, names):
    """Yield what is decided before an Unknown: the root's traits, then each earlier group alone."""
    root_required = _ids(query.root_required, names.traits)
    root_forbidden = _ids(query.root_forbidden, names.traits)
    if root_required or root_forbidden:
        yield ResolvedQuery((), root_required=root_required, root_forbidden=root_forbidden)
    for group in query.groups[: query.groups.index(unknown.group)]:
        yield ResolvedQuery(
            (resolved_group(group, names),),
            root_required=root_required,
            root_forbidden=root_forbidden,
        )


def _ids(names, ids):
    return frozenset(ids[name] for name in names)


def _known_ids(names, ids):
    return frozenset(ids[name] for name in names if name in ids)
