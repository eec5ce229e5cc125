"""Who has each of the things that a query asks for: sets of providers, each read whole.

To read a set by its index costs a fraction of a microsecond for each provider in it; to evaluate a
condition of roots.py costs several for each root.
"""

import collections
import functools
from typing import NamedTuple

import sqlalchemy as sa

from placement import constants
from placement.db import tables
from placement.db.sql import packed_rows
from placement.db.sql.conditions import is_one_of

_providers = tables.resource_providers
_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates
_of_shared = _members.alias("of_shared")


class Thing(NamedTuple):
    """What a provider may have: any of some traits or aggregates, or room.

    kind   required, member_of or resources
    value  in keys: a set of ids, or a class_id and an amount. Of room, min_unit and step_size are
           left out, as they are in no index.
    """

    kind: str
    value: frozenset[int] | tuple[int, int]


class Holders(NamedTuple):
    """Who has each Thing, and how providers are related.

    of        Thing -> providers
    root_ids  provider -> its root; only those that are no roots
    reached   sharing provider -> the roots of the trees that can use it
    """

    of: dict[Thing, set[int]]
    root_ids: dict[int, int]
    reached: dict[int, set[int]]


def having(thing):
    """Select the ids of the providers that have a Thing."""
    if thing.kind == "required":
        return sa.select(_traits.c.resource_provider_id).where(
            is_one_of(_traits.c.trait_id, thing.value)
        )
    if thing.kind == "member_of":
        return sa.select(_members.c.resource_provider_id).where(
            is_one_of(_members.c.aggregate_id, thing.value)
        )
    class_id, amount = thing.value
    return sa.select(_inventories.c.resource_provider_id).where(
        _inventories.c.resource_class_id == class_id,
        _inventories.c.headroom >= min(amount, constants.TOO_LARGE),
    )


def read(conn, needed, excluded, sharing, most):
    """Return the Holders of all Things, and those of the needed ones that nobody has.

    There are no Holders, but None, if nobody has a needed Thing, or if there are ids of providers
    beyond `most`. `sharing` are all the SharingProviders.
    Cost: one query.
    Raises: Outage if the database cuts texts.
    """
    sharing_ids = frozenset(provider.id for provider in sharing)
    query = _query(tuple(needed), tuple(excluded), sharing_ids, most)
    row = conn.execute(query).one()
    things = [*needed, *excluded]
    is_complete, found, row = row[0], row[1 : len(needed) + 1], row[len(needed) + 1 :]
    if not is_complete:
        return None, [thing for thing, one in zip(needed, found, strict=True) if one is None]
    of_things, (roots, *reach) = row[: len(things)], row[len(things) :]
    held = map(set, map(packed_rows.numbers_of, of_things))
    of = dict(zip(things, held, strict=True))
    return Holders(of, dict(packed_rows.pairs_of(roots)), _reached(*reach)), []


@functools.lru_cache
def _query(needed, excluded, sharing_ids, most):
    """Select whether the rest is complete; one who has each needed Thing; and what read returns.

    Clients ask for the same again and again, and to build it takes longer than to look.
    """
    look = sa.select(
        sa.select(sa.func.max(_providers.c.id)).label("largest"),
        *(_any(thing).label(f"any_{number}") for number, thing in enumerate(needed)),
    ).limit(1)
    # With a limit, PostgreSQL does not evaluate it again for each column.
    largest, *found = look.subquery("look").c
    is_complete = sa.and_(largest <= most, *(each.is_not(None) for each in found))
    selects = [*map(_ids, (*needed, *excluded)), _ROOTS]
    if sharing_ids:
        selects += _reach(sharing_ids)
    return sa.select(
        sa.case((is_complete, 1)),
        *found,
        *(sa.case((is_complete, select.scalar_subquery())) for select in selects),
    )


def _any(thing):
    """Select one provider that has a Thing."""
    one = having(thing).limit(1)
    if thing.kind == "resources":
        # Or else PostgreSQL may expect to meet one sooner without the index.
        one = one.order_by(_inventories.c.headroom.desc())
    return one


def _ids(thing):
    having_it = having(thing)
    return having_it.with_only_columns(packed_rows.of_rows(*having_it.selected_columns))


_ROOTS = sa.select(packed_rows.of_rows(_providers.c.id, _providers.c.root_provider_id)).where(
    _providers.c.id != _providers.c.root_provider_id
)


def _reach(sharing_ids):
    """Yield Selects of the aggregates of sharing providers, and of the roots that are in each."""
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
    roots_by_aggregate_id = collections.defaultdict(set)
    for aggregate_id, root_id in packed_rows.pairs_of(members):
        roots_by_aggregate_id[aggregate_id].add(root_id)
    reached = collections.defaultdict(set)
    for provider_id, aggregate_id in packed_rows.pairs_of(aggregates):
        reached[provider_id] |= roots_by_aggregate_id[aggregate_id]
    return dict(reached)
