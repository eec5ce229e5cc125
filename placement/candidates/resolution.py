"""The names of a query, replaced by the keys of the database, or refused in order.

Source: contract, candidates, "Errors and the order of checks", second part: a group that
cannot be served hides the names after it.
"""

import dataclasses

from placement import exception
from placement.candidates import query as queries
from placement.db import names as db_names
from placement.db import resource_providers as db_providers


def resolve(conn, query, sharing_trait, has_candidates):
    """Return (the query in keys, the id of `sharing_trait`), or None if nothing can be found.

    `has_candidates(query)` is asked only when a name is unknown, of what stands before it.
    Cost: one query, if all names are known.
    Raises: UnknownTraits, UnknownResourceClass.
    """
    names, sharing_trait_id = _names(conn, query, sharing_trait)
    if trait := queries.unknown_root_trait(query, names.trait_ids):
        raise exception.UnknownTraits([trait])
    for position, group in enumerate(query.groups):
        error = _unknown_name(group, names)
        if error is None and group.in_tree in {None, *names.root_ids}:
            continue
        hidden = error is None or not all(
            map(has_candidates, _parts(query, query.groups[:position]))
        )
        if hidden or (
            isinstance(error, exception.UnknownTraits) and _has_no_members(conn, group, names)
        ):
            return None
        raise error
    return queries.resolved(query, names), sharing_trait_id


def _names(conn, query, sharing_trait):
    """Return (the Names of everything in the query, the id of the sharing trait)."""
    groups = query.groups
    traits = query.root_required.union(
        query.root_forbidden,
        *(group.forbidden for group in groups),
        *(traits for group in groups for traits in group.required),
    )
    found = db_names.resolve(
        conn,
        resource_classes={name for group in groups for name in group.resources},
        traits=traits | {sharing_trait},
        aggregates=frozenset().union(
            *(group.not_member_of for group in groups),
            *(uuids for group in groups for uuids in group.member_of),
        ),
        trees={group.in_tree for group in groups} - {None},
    )
    names = queries.Names(
        class_ids=found.resource_classes,
        trait_ids=found.traits,
        aggregate_ids=found.aggregates,
        root_ids=found.trees,
    )
    return names, found.traits[sharing_trait]


def _unknown_name(group, names):
    """Return the exception for the first unknown class or trait of a group, or None."""
    if name := queries.unknown_class(group, names.class_ids):
        return exception.UnknownResourceClass(name=name)
    if trait := queries.unknown_trait(group, names.trait_ids):
        return exception.UnknownTraits([trait])
    return None


def _has_no_members(conn, group, names):
    """Are the aggregates of a group such that no provider is in all that it must be in?"""
    member_of = queries.known_aggregates(group, names)
    return member_of and not db_providers.list_matching(
        conn, db_providers.Filters(member_of=member_of)
    )


def _parts(query, groups):
    """Yield a query for the root alone, if it must be of a kind, and for each of `groups`."""
    alone = dataclasses.replace(query, groups=(), isolate=False, same_subtrees=(), limit=None)
    if query.root_required or query.root_forbidden:
        yield alone
    for group in groups:
        yield dataclasses.replace(alone, groups=(group,))
