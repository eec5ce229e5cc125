"""The providers that meet each Requirement of a query, as sets that are read whole.

Reading a set through its index costs a fraction of a microsecond for each provider in the set.
Evaluating a condition of roots.py costs several microseconds for each root.
"""

import collections
import functools
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.search import who_meets
from placement.db.search.requirements import Requirement
from placement.db.sql import many_shapes, packed_rows
from placement.db.sql.conditions import is_one_of

_providers = tables.resource_providers
_members = tables.resource_provider_aggregates
_of_shared = _members.alias("of_shared")


class ProviderSets(NamedTuple):
    """The providers that meet each Requirement, and how providers are related; all are ids.

    of        Requirement -> providers
    root_ids  provider -> its root; only for those that are not roots
    reached   sharing provider -> the roots of the trees that can use it
    """

    of: dict[Requirement, set[int]]
    root_ids: dict[int, int]
    reached: dict[int, set[int]]


def read(conn, needed, excluded, sharing, largest_id):
    """Return the ProviderSets of all Requirements, and a list of those needed that nothing meets.

    The ProviderSets are None if that list is not empty, or if a provider has an id above
    `largest_id`.
    needed, excluded: the Requirements that must be met, and those that must not be met
    sharing: all the SharingProviders
    Cost: one query.
    Raises: Outage if the database cuts texts.
    """
    sharing_ids = frozenset(provider.id for provider in sharing)
    query = _query(tuple(needed), tuple(excluded), sharing_ids, largest_id)
    row = conn.execute(query, execution_options=many_shapes.OWN_CACHE).one()
    # The row has: whether there are sets; a provider for each needed Requirement; a set for each
    # Requirement; the roots of providers; and, if any provider shares, two more texts.
    requirements = [*needed, *excluded]
    sets_begin = 1 + len(needed)
    sets_end = sets_begin + len(requirements)
    has_sets, met, packed = row[0], row[1:sets_begin], row[sets_begin:sets_end]
    if not has_sets:
        return None, [
            requirement
            for requirement, provider_id in zip(needed, met, strict=True)
            if provider_id is None
        ]
    roots, *reach = row[sets_end:]
    sets = map(set, map(packed_rows.numbers_of, packed))
    by_requirement = dict(zip(requirements, sets, strict=True))
    return ProviderSets(by_requirement, dict(packed_rows.pairs_of(roots)), _reached(*reach)), []


@functools.lru_cache(many_shapes.MOST)
def _query(needed, excluded, sharing_ids, largest_id):
    """Select whether the sets are read, a provider for each needed Requirement, and the sets.

    The sets are texts: ids for each Requirement, the roots of providers and, if any provider
    shares, the texts of _reach(). They are NULL, and so the sets are not read, if no provider meets
    one of the needed Requirements, or if a provider has an id above `largest_id`.
    The statement is cached: clients repeat their queries, and building the statement takes longer
    than executing it.
    """
    look = sa.select(
        sa.select(sa.func.max(_providers.c.id)).label("last_id"),
        *(
            who_meets.select_one(requirement).label(f"any_{number}")
            for number, requirement in enumerate(needed)
        ),
    ).limit(1)
    # The limit keeps PostgreSQL from evaluating this subquery again for each column.
    last_id, *meeting = look.subquery("look").c
    has_sets = sa.and_(last_id <= largest_id, *(column.is_not(None) for column in meeting))
    selects = [*map(_ids, (*needed, *excluded)), _ROOTS]
    if sharing_ids:
        selects += _reach(sharing_ids)
    return sa.select(
        sa.case((has_sets, 1)),
        *meeting,
        *(sa.case((has_sets, select.scalar_subquery())) for select in selects),
    )


def _ids(requirement):
    """Select the ids of the providers that meet a Requirement, packed into one text."""
    select = who_meets.select(requirement)
    return select.with_only_columns(packed_rows.of_rows(*select.selected_columns))


_ROOTS = sa.select(packed_rows.of_rows(_providers.c.id, _providers.c.root_provider_id)).where(
    _providers.c.id != _providers.c.root_provider_id
)


def _reach(sharing_ids):
    """Yield two Selects of packed rows for _reached(): which trees can use which providers.

    The first has pairs of a sharing provider and an aggregate, the second pairs of such an
    aggregate and a root with a provider in it.
    """
    are_shared = is_one_of(_of_shared.c.resource_provider_id, sharing_ids)
    yield sa.select(
        packed_rows.of_rows(_of_shared.c.resource_provider_id, _of_shared.c.aggregate_id)
    ).where(are_shared)
    yield (
        sa.select(packed_rows.of_rows(_members.c.aggregate_id, _providers.c.root_provider_id))
        .join(_providers, _providers.c.id == _members.c.resource_provider_id)
        .where(_members.c.aggregate_id.in_(sa.select(_of_shared.c.aggregate_id).where(are_shared)))
    )


def _reached(aggregates=None, members=None):
    """Return ProviderSets.reached for the packed rows of the two Selects in _reach(), if any.

    aggregates: pairs of a sharing provider and an aggregate
    members: pairs of an aggregate and a root
    """
    roots_by_aggregate_id = collections.defaultdict(set)
    for aggregate_id, root_id in packed_rows.pairs_of(members):
        roots_by_aggregate_id[aggregate_id].add(root_id)
    reached = collections.defaultdict(set)
    for provider_id, aggregate_id in packed_rows.pairs_of(aggregates):
        reached[provider_id] |= roots_by_aggregate_id[aggregate_id]
    return dict(reached)
