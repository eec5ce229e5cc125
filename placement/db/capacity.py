"""Taking capacity and giving it back, by one conditional UPDATE.

No row is read to decide: the condition is part of the statement, so two claims on one
inventory queue on its row, and the second one sees what the first one left.
"""

import collections
import functools
import itertools
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import remembered_names, tables
from placement.db.derived_sums import recount
from placement.db.derived_sums.triggers import OurStatement
from placement.db.offers import Room
from placement.db.remembered_names import NOTHING_TO_PROVE
from placement.db.sql import prepared
from placement.db.sql.chunks import MAX_CONDITIONS, chunks
from placement.db.sql.conditions import is_one_of
from placement.db.sql.prepared import ZERO, Prepared

_inventories = tables.inventories


class Change(NamedTuple):
    """How a request changes what is used of one inventory.

    `difference` is new minus old. The individual new amounts are described by the smallest, the
    largest and their greatest common divisor; all three are 0 if there are none.
    """

    provider_id: int
    class_id: int
    difference: int
    smallest: int
    largest: int
    divisor: int


def apply(conn, changes, proof=NOTHING_TO_PROVE):
    """Apply Changes of different inventories, in their order, if the `proof` of their names holds.

    Return whether the names are true and every change was possible. If not, the transaction must
    be given up: the possible ones have been applied.
    More than the capacity may be used as long as the use does not grow.
    Cost: one statement for each hundred inventories.
    Source: doc/explanation/rules.rst, W3 and W4.
    """
    return all(_apply(conn, chunk, proof) for chunk in chunks(changes, MAX_CONDITIONS))


def _apply(conn, changes, proof):
    counts = collections.Counter([change.provider_id for change in changes])
    statement = _statement_for(tuple(counts.values()), proof.shape)
    parameters = prepared.values(changes, *Change._fields) | proof.parameters
    return statement.execute(conn, parameters).rowcount == len(changes)


@functools.lru_cache
def _statement_for(counts, shape):
    """The UPDATE for changes, with the condition of a Proof; `counts` are the changes by provider.

    It names each provider once, which is quicker to parse than a pair for each inventory.
    """
    # A claim may ask for more than fits into the columns of units.
    parameters = prepared.numbered(sum(counts), *Change._fields, type_=sa.BigInteger)
    changes = map(Change._make, parameters)
    providers = [list(itertools.islice(changes, count)) for count in counts]
    return Prepared(
        sa.update(_inventories)
        .where(
            sa.or_(*map(_are_possible, providers)),
            OurStatement(),
            *remembered_names.conditions(shape),
        )
        .values(
            used=_inventories.c.used + _difference(providers),
            # A claim is not a change of the inventory that clients may see.
            updated_at=_inventories.c.updated_at,
        )
    )


def _difference(providers):
    """The difference for a row; `providers` are lists of the changes of one provider."""
    by_class = [
        sa.case(
            {change.class_id: change.difference for change in changes},
            value=_inventories.c.resource_class_id,
        )
        for changes in providers
    ]
    if len(providers) == 1:
        return by_class[0]
    return sa.case(
        *(
            (_inventories.c.resource_provider_id == changes[0].provider_id, difference)
            for changes, difference in zip(providers, by_class, strict=True)
        )
    )


def _are_possible(changes):
    """The condition that a row has one of the changes of a provider, and that it is possible."""
    return sa.and_(
        _inventories.c.resource_provider_id == changes[0].provider_id,
        sa.or_(*map(_is_possible, changes)),
    )


def _is_possible(change):
    """It is of this class, fits the capacity or takes no more, and its amounts fit the units."""
    return sa.and_(
        _inventories.c.resource_class_id == change.class_id,
        sa.or_(
            change.difference <= ZERO,
            _inventories.c.used + change.difference <= _inventories.c.capacity,
        ),
        sa.or_(
            change.largest == ZERO,
            sa.and_(
                _inventories.c.min_unit <= change.smallest,
                _inventories.c.max_unit >= change.largest,
                change.divisor % _inventories.c.step_size == ZERO,
            ),
        ),
    )


def rooms(conn, keys):
    """Return {(provider_id, class_id): Room} for those of `keys` that are inventories.

    Call it after a refusal, before any allocation of the request is written: what is used is
    summed from the allocations, because the refused statement may have changed the sum that the
    inventory keeps.
    Cost: one query.
    """
    query = sa.select(
        _inventories.c.resource_provider_id,
        _inventories.c.resource_class_id,
        _inventories.c.capacity,
        recount.allocated,
        _inventories.c.min_unit,
        _inventories.c.max_unit,
        _inventories.c.step_size,
    ).where(
        is_one_of(_inventories.c.resource_provider_id, {provider_id for provider_id, _ in keys}),
        is_one_of(_inventories.c.resource_class_id, {class_id for _, class_id in keys}),
    )
    return {
        (provider_id, class_id): Room(capacity, int(used), *units)
        for provider_id, class_id, capacity, used, *units in conn.execute(query)
    }
