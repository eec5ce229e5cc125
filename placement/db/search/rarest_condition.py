"""The rarest condition of a query. If only few providers meet it, only their roots are looked at.

The conditions of roots.py are evaluated root by root. That is quick if most roots meet them, as it
ends at the limit, and slow if hardly any do. Then the providers that meet the rarest condition are
found by an index, and only their roots are looked at.
"""

import sqlalchemy as sa

from placement.db import tables
from placement.db.search import who_meets
from placement.db.search.requirements import strongest
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


def few_roots(conn, needed, sharing, after, seen):
    """Return the ids of a few roots that include all with candidates; None if they are not few.

    `needed` are the Requirements that some provider must meet: the root itself, one of its tree, or
    one that shares with it.
    Only roots after `after` matter, except for the first `seen` of them. `sharing` are all the
    SharingProviders.
    Cost: one query, or two.
    """
    if not needed:
        return None
    meeting = [who_meets.select(each) for each in strongest(needed)[:_MOST_COUNTED]]
    roots = in_span(Span(after, None))
    enough = max(seen, SHARE * MOST_RARE) + 1
    total, *counts = _counts(conn, [(roots, enough), *((each, MOST_RARE + 1) for each in meeting)])
    fewest = min(counts)
    if total <= seen or fewest == 0:
        return []
    if total < FEWEST_ROOTS or total < SHARE * fewest or fewest > MOST_RARE:
        return None
    # In a reader's snapshot this limit leaves nobody out; it helps PostgreSQL to plan.
    found = _roots_of(conn, meeting[counts.index(fewest)].limit(fewest), sharing)
    return None if len(found) > MOST_RARE else found


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


def _roots_of(conn, meeting, sharing):
    """Return the ids of the roots whose trees have one of the providers, or can use one.

    If these are not few, some are left out.
    """
    meeting = meeting.subquery()
    (provider_id,) = meeting.c
    roots = sa.select(_providers.c.root_provider_id).join(meeting, provider_id == _providers.c.id)
    if sharing:
        reached = (
            sa.select(_providers.c.root_provider_id)
            .join(_of_member, _of_member.c.resource_provider_id == _providers.c.id)
            .join(_of_shared, _of_shared.c.aggregate_id == _of_member.c.aggregate_id)
            .join(meeting, provider_id == _of_shared.c.resource_provider_id)
            .where(is_one_of(provider_id, {each.id for each in sharing}))
        )
        roots = sa.union(roots, reached)
    else:
        roots = roots.distinct()
    found = conn.scalars(roots.limit(MOST_RARE + 1), execution_options=many_shapes.OPTIONS)
    return list(found)
