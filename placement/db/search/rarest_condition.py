"""The rarest condition of a query. If few providers meet it, only their roots are evaluated.

The conditions of roots.py are evaluated root by root. That is quick if most roots meet them,
because the limit is soon reached, and slow if hardly any do. In that case an index finds the few
providers that meet the rarest condition, and only the roots of these providers are evaluated.
"""

import sqlalchemy as sa

from placement.db import tables
from placement.db.search import narrowing, who_meets
from placement.db.search.requirements import strongest
from placement.db.search.roots import Span, in_span
from placement.db.sql import many_shapes
from placement.db.sql.conditions import is_one_of

_providers = tables.resource_providers
_members = tables.resource_provider_aggregates
_of_member = _members.alias("of_member")
_of_shared = _members.alias("of_shared")


def few_roots(conn, needed, sharing, after, seen):
    """Return the ids of a few roots, which include all with candidates; None if there are too many.

    needed: the Requirements that some provider must meet: the root, another provider of its tree,
        or one that shares with the tree
    sharing: all the SharingProviders
    after: only roots with ids above this one matter
    seen: how many of these roots, beginning with the first, have been looked at already
    Cost: one query, or two.
    """
    if not needed:
        return None
    requirements = strongest(needed)[: narrowing.MOST_COUNTED]
    meeting = [who_meets.select(requirement) for requirement in requirements]
    roots = in_span(Span(after, None))
    # (Select, most rows to count): one row more than MOST_RARE shows that there are too many.
    of_meeting = [(select, narrowing.MOST_RARE + 1) for select in meeting]
    total, *counts = _counts(conn, [(roots, narrowing.most_counted_roots(seen)), *of_meeting])
    fewest = min(counts)
    # All roots have been looked at already, or none can have candidates.
    if total <= seen or fewest == 0:
        return []
    if not narrowing.is_rare(fewest, total):
        return None
    # In a reader's snapshot, this limit excludes no provider: it only helps PostgreSQL to plan.
    root_ids = _roots_of(conn, meeting[counts.index(fewest)].limit(fewest), sharing)
    return None if len(root_ids) > narrowing.MOST_RARE else root_ids


def _counts(conn, selects):
    """Return how many rows the Selects have; `selects` are pairs (Select, most rows to count)."""
    parts = [
        sa.select(
            sa.literal(position, literal_execute=True).label("position"), sa.func.count()
        ).select_from(select.limit(most).subquery())
        for position, (select, most) in enumerate(selects)
    ]
    counts = conn.execute(sa.union_all(*parts), execution_options=many_shapes.OWN_CACHE)
    return [count for _, count in sorted(counts.all())]


def _roots_of(conn, meeting, sharing):
    """Return the ids of the roots whose trees have, or can use, a provider selected by `meeting`.

    meeting: a Select of the ids of providers
    sharing: all the SharingProviders
    At most narrowing.MOST_RARE + 1 roots are returned: the last one shows that there are too many.
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
    few = roots.limit(narrowing.MOST_RARE + 1)
    return list(conn.scalars(few, execution_options=many_shapes.OWN_CACHE))
