"""A random root: a search begins there if [placement] rotate_allocation_candidates is set.

The roots after it follow in order, and then those before it: see Order.ROTATED
(candidates/batches.py).
"""

import random

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql import prepared
from placement.db.sql.conditions import is_root
from placement.db.sql.prepared import ONE, ZERO

_providers = tables.resource_providers


def draw(conn, provider_ids):
    """Return the id of a random root, or 0 if there is none. All roots are equally likely.

    Ids are drawn between the lowest and the highest id, and the first drawn id that belongs to a
    root is returned. `provider_ids` (ProviderIds) remembers both bounds; the query that looks for
    the drawn ids checks the bounds, too.
    Cost: one query, by the primary key; a second one if a bound has changed. If no drawn id belongs
        to a root, two more, which count the roots; that is rare unless fewer than one id in 20
        belongs to a root.
    """
    existing = None
    while existing is None:
        ends = provider_ids.ends
        drawn = _draw_ids(*ends)
        rows = _drawn_query().execute(conn, prepared.values(zip(drawn), "drawn")).all()
        [true_ends] = [(low or 0, high or 0) for is_range, low, high in rows if is_range]
        provider_ids.ends = true_ends
        if true_ends == ends:
            existing = {root_id for is_range, root_id, _ in rows if not is_range}
    first = next((root_id for root_id in drawn if root_id in existing), None)
    return first or _any_counted(conn)


def _draw_ids(lowest, highest):
    """Return _DRAWN ids drawn from a range. At each position, all ids are equally likely."""
    if highest - lowest < _DRAWN:
        # Every id is drawn. The ids are repeated, because the statement takes _DRAWN of them.
        ids = range(lowest, highest + 1)
        return (random.sample(ids, len(ids)) * _DRAWN)[:_DRAWN]
    return [random.randint(lowest, highest) for _ in range(_DRAWN)]


# How many ids are drawn. If one id in 20 belongs to a root, one call in 170 draws no root.
_DRAWN = 100
_is_root = is_root(_providers)


@prepared.for_each_shape
def _drawn_query():
    """Select (0, id, id) for each root that was drawn, and (1, lowest id, highest id)."""
    drawn = [each for (each,) in prepared.numbered(_DRAWN, "drawn")]
    id_column = _providers.c.id
    return sa.union_all(
        sa.select(ZERO, id_column, id_column).where(_is_root, id_column.in_(drawn)),
        sa.select(ONE, sa.func.min(id_column), sa.func.max(id_column)),
    )


def _any_counted(conn):
    """Return the id of a random root, found by its position among all roots; 0 if there is none."""
    count = conn.scalar(_count_query)
    return conn.scalar(_nth_query, {"n": random.randrange(count)}) if count else 0


_count_query = sa.select(sa.func.count()).select_from(_providers).where(_is_root)
_nth_query = (
    sa.select(_providers.c.id)
    .where(_is_root)
    .order_by(_providers.c.id)
    .limit(1)
    .offset(sa.bindparam("n"))
)
