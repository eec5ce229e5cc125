"""Take capacity and give it back, with one conditional UPDATE.

Nothing is decided from an earlier read: the condition is part of the statement, so two claims on
one inventory queue on its row, and the second one sees what the first one left.
"""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import remembered_names, tables
from placement.db.chunks import MAX_CONDITIONS, chunks
from placement.db.derived_sums import recount, triggers
from placement.db.provider_room import Room
from placement.db.remembered_names import NOTHING_TO_PROVE
from placement.db.sql import complete_rows, prepared
from placement.db.sql.complete_rows import IS_COMPLETE
from placement.db.sql.conditions import is_one_of
from placement.db.sql.prepared import ZERO

_inventories = tables.inventories


class Change(NamedTuple):
    """How a request changes the usage of one inventory.

    difference  the new usage minus the old one
    smallest    the smallest of the consumers' new amounts; 0 if there are none
    largest     the largest of these amounts, or 0
    divisor     the greatest common divisor of these amounts, or 0
    """

    provider_id: int
    class_id: int
    difference: int
    smallest: int
    largest: int
    divisor: int


def apply(conn, changes, proof=NOTHING_TO_PROVE):
    """Apply Changes in order, each to a different inventory, if the `proof` of names holds.

    Return whether the names are valid and every change was possible. A usage may be above the
    capacity as long as it does not grow. If a change was impossible, all others may have been
    applied, so a claim has to be rolled back. Giving back is impossible only if another program has
    deleted the inventory, and then nothing is left to change.
    Cost: one statement for each chunk of inventories; one more query on MySQL after a refusal.
    Raises: SessionChanged.
    Source: doc/explanation/rules.rst, W3 and W4.
    """
    # This is a list, because all() of a generator would stop after a failure, and what later chunks
    # give back would stay taken.
    applied = [_apply(conn, chunk, proof) for chunk in chunks(changes, MAX_CONDITIONS)]
    if all(applied):
        return True
    # The changes may be possible after all, if a proxy has given the statement another session.
    triggers.check_session(conn)
    return False


def _apply(conn, changes, proof):
    """Apply a chunk of Changes with one statement; return whether all of them were possible."""
    rows = prepared.padded(changes)
    is_one_provider = len({change.provider_id for change in changes}) == 1
    statement = _statement(is_one_provider, len(rows), proof.shape)
    parameters = prepared.values(rows, *Change._fields) | proof.parameters
    return statement.execute(conn, parameters).rowcount == len(changes)


@prepared.for_each_shape
def _statement(is_one_provider, count, shape):
    """Return the UPDATE for `count` changes, with the conditions of a Proof of this shape.

    If all changes are to one provider, the usual case, the statement names the provider only once,
    which is quicker to parse.
    """
    # A claim may ask for an amount that is too large for the columns of units.
    parameters = prepared.numbered(count, *Change._fields, type_=sa.BigInteger)
    changes = [Change._make(each) for each in parameters]
    # OurStatement keeps the triggers from counting the changes again. The conditions of remembered
    # names are true if these names are still valid.
    apply_to = _apply_to_provider if is_one_provider else _apply_to_any
    are_possible, difference = apply_to(changes)
    return (
        sa.update(_inventories)
        .where(are_possible, triggers.OurStatement(), *remembered_names.conditions(shape))
        .values(
            used=_inventories.c.used + difference,
            # Clients must not see a claim as a change to the inventory.
            updated_at=_inventories.c.updated_at,
        )
    )


def _apply_to_provider(changes):
    """Return the condition for a row to get one of the changes, and the difference that it gets."""
    condition = sa.and_(
        _inventories.c.resource_provider_id == changes[0].provider_id,
        sa.or_(*(sa.and_(_is_of_class(change), _is_possible(change)) for change in changes)),
    )
    return condition, sa.case(*((_is_of_class(change), change.difference) for change in changes))


def _apply_to_any(changes):
    """Do what _apply_to_provider() does, but for changes to several providers."""
    condition = sa.or_(*(sa.and_(_is_of(change), _is_possible(change)) for change in changes))
    return condition, sa.case(*((_is_of(change), change.difference) for change in changes))


def _is_of(change):
    """The condition that a row is the inventory which a change is for."""
    return sa.and_(
        _inventories.c.resource_provider_id == change.provider_id, _is_of_class(change)
    )


def _is_of_class(change):
    return _inventories.c.resource_class_id == change.class_id


def _is_possible(change):
    """Whether a change fits the capacity or takes no more than before, and fits the units.

    All new amounts are multiples of the step_size if their greatest common divisor is.
    """
    return sa.and_(
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
    """Return {(provider_id, class_id): Room} for those of `keys` that have an inventory.

    The result may have Rooms of other classes of these providers, too.
    Call this after a refusal, before any allocation of the request is written. The refused
    statement may have changed inventories.used, so what is used is summed from the allocations.
    Cost: one query.
    Raises: Outage.
    """
    query = sa.select(
        _inventories.c.resource_provider_id,
        _inventories.c.resource_class_id,
        _inventories.c.capacity,
        recount.allocated,
        _inventories.c.min_unit,
        _inventories.c.max_unit,
        _inventories.c.step_size,
        IS_COMPLETE,
    ).where(
        is_one_of(_inventories.c.resource_provider_id, {provider_id for provider_id, _ in keys}),
        is_one_of(_inventories.c.resource_class_id, {class_id for _, class_id in keys}),
    )
    rows = complete_rows.checked(conn.execute(query))
    return {
        (provider_id, class_id): Room(capacity, int(used), *units)
        for provider_id, class_id, capacity, used, *units in rows
    }
