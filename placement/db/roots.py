"""Which trees may hold candidates for a query, as named conditions on their roots.

A filter lets through every root at which there are candidates, and some at which the
search then finds none: it decides about single providers, the search (candidates/) about
their combinations. The same list of filters selects and explains.
"""

from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.conditions import finds, has_room, has_trait, is_member
from placement.db.pieces import is_one_of

_providers = tables.resource_providers
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates
_root = _providers.alias("root")
_member = _providers.alias("member")
_shared = _providers.alias("shared")
_theirs = _members.alias("theirs")
_ours = _members.alias("ours")


class Filter(NamedTuple):
    """A condition on `root`, with the name under which operators read of it."""

    name: str
    condition: sa.ColumnElement[bool]


class SharingProvider(NamedTuple):
    id: int
    root_id: int


def sharing_providers(conn, sharing_trait_id):
    """Return every SharingProvider: those with the trait that says so.

    Cost: one query.
    """
    query = (
        sa.select(_providers.c.id, _providers.c.root_provider_id)
        .join(_traits, _traits.c.resource_provider_id == _providers.c.id)
        .where(_traits.c.trait_id == sharing_trait_id)
    )
    return [SharingProvider(*row) for row in conn.execute(query)]


def feasible(filters):
    """Select the ids of the roots that pass every Filter, in their order."""
    return (
        sa.select(_root.c.id)
        .where(_root.c.parent_provider_id.is_(None), *(each.condition for each in filters))
        .order_by(_root.c.id)
    )


def batch(conn, filters, after, size):
    """Return the ids of the next roots that pass: at most `size` of them, None for all.

    Cost: one query.
    """
    query = feasible(filters).where(_root.c.id > after)
    return list(conn.scalars(query if size is None else query.limit(size)))


def filters_for(query, sharing):
    """Return the Filters of a CandidateQuery in integer keys.

    `sharing` are the ids of the sharing providers.
    """
    filters = []
    for group in query.groups:
        filters += _group_filters(group, sharing)
    for trait_id in sorted(query.root_required):
        filters.append(Filter("root_required", has_trait({trait_id}, _root)))
    if query.root_forbidden:
        filters.append(Filter("root_forbidden", sa.not_(has_trait(query.root_forbidden, _root))))
    return filters


def _group_filters(group, sharing):
    """Yield the Filters of one request group."""
    if group.is_granular:
        yield Filter(f"group {group.suffix}", _offers(sharing, partial(_serves_alone, group)))
        return
    if group.in_tree is not None:
        # No provider of another tree serves this group.
        sharing = frozenset()
        yield Filter("in_tree", _root.c.id == group.in_tree)
    # Most hosts have room for most claims: what is asked of their kind decides sooner.
    for aggregate_ids in group.member_of:
        yield Filter("member_of", _offers(sharing, partial(is_member, aggregate_ids)))
    if group.not_member_of:
        yield Filter("not_member_of", sa.not_(is_member(group.not_member_of, _root)))
    for trait_ids in group.required:
        yield Filter("required", _offers(sharing, partial(has_trait, trait_ids)))
    for class_id, amount in group.resources.items():
        resources = _offers(sharing, partial(_serves_class, group, class_id, amount))
        yield Filter("resources", resources)


def _offers(sharing, condition_on):
    """The condition that a tree, or a sharing provider that it can use, has such a provider.

    `condition_on` takes a table of providers. A sharing provider can be used by the trees
    that have a member in one of its aggregates.
    """
    own = finds(_member.c.root_provider_id == _root.c.id, condition_on(_member))
    if not sharing:
        return own
    return own | finds(
        _member.c.root_provider_id == _root.c.id,
        _theirs.c.resource_provider_id == _member.c.id,
        _ours.c.aggregate_id == _theirs.c.aggregate_id,
        _ours.c.resource_provider_id == _shared.c.id,
        is_one_of(_shared.c.id, sharing),
        condition_on(_shared),
    )


def _serves_class(group, class_id, amount, provider):
    """Could a provider serve one class of the unsuffixed group?"""
    return sa.and_(has_room(class_id, amount, provider), _is_allowed(group, provider))


def _serves_alone(group, provider):
    """Could a provider serve the whole of a granular group?"""
    conditions = [_is_allowed(group, provider)]
    conditions += [
        has_room(class_id, amount, provider) for class_id, amount in group.resources.items()
    ]
    conditions += [has_trait(trait_ids, provider) for trait_ids in group.required]
    conditions += [is_member(aggregate_ids, provider) for aggregate_ids in group.member_of]
    if group.in_tree is not None and group.resources:
        conditions.append(provider.c.root_provider_id == group.in_tree)
    return sa.and_(*conditions)


def _is_allowed(group, provider):
    """Is a provider free of the traits and outside of the aggregates that a group forbids?"""
    conditions = []
    if group.forbidden:
        conditions.append(sa.not_(has_trait(group.forbidden, provider)))
    if group.not_member_of:
        conditions.append(sa.not_(is_member(group.not_member_of, provider)))
    return sa.and_(sa.true(), *conditions)
