"""When an inventory has room for an amount, as a condition in SQL."""

import sqlalchemy as sa

from placement.db import tables

_inventories = tables.inventories


def has_room(class_id, amount):
    """The condition that an inventory is of a class and could serve `amount` more units of it.

    Counts capacity, what is used, min_unit, max_unit and step_size.
    Source: contract, candidates, "fits".
    """
    # No max_unit is larger than MAX_INT: what is beyond it fits nowhere, however large it is.
    amount = min(amount, tables.MAX_INT + 1)
    return sa.and_(
        _inventories.c.resource_class_id == class_id,
        _inventories.c.used + amount <= _inventories.c.capacity,
        _inventories.c.min_unit <= amount,
        _inventories.c.max_unit >= amount,
        sa.literal(amount, sa.BigInteger) % _inventories.c.step_size == 0,
    )


def providers_with_room(class_id, amount):
    """Select the ids of the providers that could serve `amount` units of a class."""
    return sa.select(_inventories.c.resource_provider_id).where(has_room(class_id, amount))
