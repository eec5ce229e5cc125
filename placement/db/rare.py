"""What only few providers have, of all that a query asks for: it leads to the few roots to look at.

The conditions of roots.py are evaluated root by root. That is quick where most roots meet them, as
it ends at the limit, and slow where hardly any does. There, those who have what is rarest are found
by an index, and only their roots are looked at.
"""

import itertools
from typing import NamedTuple

import sqlalchemy as sa

from placement import limits
from placement.db import tables
from placement.db.conditions import is_one_of

_providers = tables.resource_providers
_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates
_of_member = _members.alias("of_member")
_of_shared = _members.alias("of_shared")

# The most providers, and roots, that are few, and how many times as many roots there must be: to
# look at all costs no more than to find out which are half of them.
MOST = 2500
SHARE = 2
# With fewer roots it is not worth while.
WORTH = 500
# The most things of a query that are counted.
_MOST_COUNTED = 20


class Few(NamedTuple):
    """What is rare of a query.

    root_ids  roots among which are all that it may have; None if they are not few
    nowhere   what no provider at all meets: (suffix of a group or None, parameter, value in keys)
    """

    root_ids: list[int] | None
    nowhere: tuple[tuple, ...] = ()


def few_roots(conn, query, sharing, after, seen):
    """Return the Few of a ResolvedQuery.

    Only roots after `after` matter, without the first `seen` of them. `sharing` are all the
    SharingProviders.
    Cost: one query, or two.
    """
    asked = list(_asked(query))[:_MOST_COUNTED]
    if not asked:
        return Few(None)
    things, having = zip(*asked, strict=True)
    roots = sa.select(_providers.c.id).where(
        _providers.c.parent_provider_id.is_(None), _providers.c.id > after
    )
    enough = max(seen, SHARE * MOST) + 1
    total, *counts = _counts(conn, [(roots, enough), *((each, MOST + 1) for each in having)])
    fewest = min(counts)
    if total <= seen or fewest == 0:
        return Few([], tuple(itertools.compress(things, (count == 0 for count in counts))))
    if total < WORTH or total < SHARE * fewest or fewest > MOST:
        return Few(None)
    # In the snapshot of a reader this limit leaves nobody out, and PostgreSQL plans by it.
    found = _roots_of(conn, having[counts.index(fewest)].limit(fewest), sharing)
    return Few(None if len(found) > MOST else found)


def _asked(query):
    """Yield each thing that some provider must have, as Few.nowhere has it, and a Select of those
    who may have it: the provider itself, one of its tree, or one that shares with it.
    """
    for trait_id in sorted(query.root_required):
        yield (None, "root_required", frozenset({trait_id})), _with_trait({trait_id})
    amounts = {}
    for group in query.groups:
        if group.root_id is not None and (group.amounts or not group.is_granular):
            yield (group.suffix, "in_tree", group.root_id), _in_tree(group.root_id)
        for aggregate_ids in dict.fromkeys(group.member_of):
            yield (group.suffix, "member_of", aggregate_ids), _in_aggregate(aggregate_ids)
        for trait_ids in dict.fromkeys(group.required):
            yield (group.suffix, "required", trait_ids), _with_trait(trait_ids)
        for class_id, amount in group.amounts.items():
            amounts[class_id] = max((amount, group.suffix), amounts.get(class_id, (0, "")))
    for class_id, (amount, suffix) in amounts.items():
        yield (suffix, "resources", (class_id, amount)), _with_headroom(class_id, amount)


def _in_tree(root_id):
    return sa.select(_providers.c.id).where(_providers.c.root_provider_id == root_id)


def _in_aggregate(aggregate_ids):
    return sa.select(_members.c.resource_provider_id).where(
        is_one_of(_members.c.aggregate_id, aggregate_ids)
    )


def _with_trait(trait_ids):
    return sa.select(_traits.c.resource_provider_id).where(
        is_one_of(_traits.c.trait_id, trait_ids)
    )


def _with_headroom(class_id, amount):
    return sa.select(_inventories.c.resource_provider_id).where(
        _inventories.c.resource_class_id == class_id,
        _inventories.c.headroom >= min(amount, limits.TOO_LARGE),
    )


def _counts(conn, selects):
    """Return how many rows each of some (Select, most to be counted) has."""
    parts = [
        sa.select(
            sa.literal(position, literal_execute=True).label("position"), sa.func.count()
        ).select_from(select.limit(most).subquery())
        for position, (select, most) in enumerate(selects)
    ]
    return [count for _, count in sorted(conn.execute(sa.union_all(*parts)).tuples())]


def _roots_of(conn, having, sharing):
    """Return the ids of the roots whose trees have one of the providers, or can use it; not all
    of them if they are not few.
    """
    having = having.subquery()
    (provider_id,) = having.c
    roots = sa.select(_providers.c.root_provider_id).join(having, provider_id == _providers.c.id)
    if sharing:
        reached = (
            sa.select(_providers.c.root_provider_id)
            .join(_of_member, _of_member.c.resource_provider_id == _providers.c.id)
            .join(_of_shared, _of_shared.c.aggregate_id == _of_member.c.aggregate_id)
            .join(having, provider_id == _of_shared.c.resource_provider_id)
            .where(is_one_of(provider_id, {each.id for each in sharing}))
        )
        roots = sa.union(roots, reached)
    else:
        roots = roots.distinct()
    return list(conn.scalars(roots.limit(MOST + 1)))
