"""The rarest condition of a query. If only few providers meet it, only their roots are looked at.

The conditions of roots.py are evaluated root by root. That is quick if most roots meet them, as it
ends at the limit, and slow if hardly any do. Then the providers that meet the rarest condition are
found by an index, and only their roots are looked at.
"""

import sqlalchemy as sa

from placement.db import tables
from placement.db.search.roots import Span, in_span
from placement.db.sql import many_shapes
from placement.db.sql.conditions import is_one_of

_providers = tables.resource_providers
_members = tables.resource_provider_aggregates
_of_member = _members.alias("of_member")
_of_shared = _members.alias("of_shared")

# A condition is rare if at most MOST_RARE providers, or roots, meet it, and there are at least
# SHARE times as many roots: finding half of the roots by it costs as much as looking at all.
MOST_RARE = 2500
SHARE = 2
# With fewer roots, looking at all of them is faster.
FEWEST_ROOTS = 500
# The most requirements of a query that are counted.
_MOST_COUNTED = 20


def few_roots(conn, query, sharing, after, seen):
    """Return the ids of a few roots that include all with candidates for a ResolvedQuery.

    None if they are not few.

    Only roots after `after` matter, except for the first `seen` of them. `sharing` are all the
    SharingProviders.
    Cost: one query, or two.
    """
    asked = list(_asked(query))[:_MOST_COUNTED]
    if not asked:
        return None
    roots = in_span(Span(after, None))
    enough = max(seen, SHARE * MOST_RARE) + 1
    total, *counts = _counts(conn, [(roots, enough), *((each, MOST_RARE + 1) for each in asked)])
    fewest = min(counts)
    if total <= seen or fewest == 0:
        return []
    if total < FEWEST_ROOTS or total < SHARE * fewest or fewest > MOST_RARE:
        return None
    # In a reader's snapshot this limit leaves nobody out; it helps PostgreSQL to plan.
    found = _roots_of(conn, asked[counts.index(fewest)].limit(fewest), sharing)
    return None if len(found) > MOST_RARE else found


def _asked(query):
    """Yield, for each requirement that some provider must meet, a Select of those that may meet it.

    That provider is the root itself, one of its tree, or one that shares with it.
    """
    for requirement in query.required_of_root:
        yield requirement.holders()
    largest = {}
    for group in query.groups:
        if group.confined_to is not None:
            yield sa.select(_providers.c.id).where(
                _providers.c.root_provider_id == group.confined_to
            )
        for requirement in dict.fromkeys(group.required_besides):
            yield requirement.holders()
        for each in group.taken:
            known = largest.get(each.class_id, each)
            largest[each.class_id] = max(known, each, key=lambda each: each.amount)
    for each in largest.values():
        yield each.holders()


def _counts(conn, selects):
    """Return how many rows each Select has; `selects` are pairs (Select, most to be counted)."""
    parts = [
        sa.select(
            sa.literal(position, literal_execute=True).label("position"), sa.func.count()
        ).select_from(select.limit(most).subquery())
        for position, (select, most) in enumerate(selects)
    ]
    found = conn.execute(sa.union_all(*parts), execution_options=many_shapes.OPTIONS)
    return [count for _, count in sorted(found.all())]


def _roots_of(conn, holders, sharing):
    """Return the ids of the roots whose trees have one of the providers, or can use one.

    If these are not few, some are left out.
    """
    holders = holders.subquery()
    (provider_id,) = holders.c
    roots = sa.select(_providers.c.root_provider_id).join(holders, provider_id == _providers.c.id)
    if sharing:
        reached = (
            sa.select(_providers.c.root_provider_id)
            .join(_of_member, _of_member.c.resource_provider_id == _providers.c.id)
            .join(_of_shared, _of_shared.c.aggregate_id == _of_member.c.aggregate_id)
            .join(holders, provider_id == _of_shared.c.resource_provider_id)
            .where(is_one_of(provider_id, {each.id for each in sharing}))
        )
        roots = sa.union(roots, reached)
    else:
        roots = roots.distinct()
    found = conn.scalars(roots.limit(MOST_RARE + 1), execution_options=many_shapes.OPTIONS)
    return list(found)
