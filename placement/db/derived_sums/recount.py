"""inventories.capacity and inventories.used: finding wrong values, and recounting.

Both columns are derived, and another Placement on the same database does not know them. Without the
triggers of triggers.py, its writes show only in the provider's generation, which advances while
resource_providers.counted_generation does not.
"""

import functools
from typing import NamedTuple

import sqlalchemy as sa

from placement import constants
from placement.db import tables
from placement.db.chunks import chunks
from placement.db.sql.conditions import is_one_of

_inventories = tables.inventories
_allocations = tables.allocations
_providers = tables.resource_providers

# The most providers that one transaction recounts, while other writers wait for them.
_BATCH = 200
# The message for people who are waiting for find_wrong().
COMPARING = "Comparing the sums of all inventories with their allocations"

_BOUNDED = f"""
    CASE WHEN {{product}} >= {constants.MAX_CAPACITY}e0 THEN {constants.MAX_CAPACITY}
         WHEN {{product}} <= -{constants.MAX_CAPACITY}e0 THEN -{constants.MAX_CAPACITY}
         ELSE {{whole}} END
"""
# trunc((total - reserved) * allocation_ratio), in double precision, as capacity_at in
# db/inventories.py computes it from a row that was read. MySQL keeps the ratio in single precision,
# but clients get the number that MySQL prints, and CONCAT returns that number.
_CAPACITY = {
    "mysql": _BOUNDED.format(
        product="({row}.total - {row}.reserved) * (0e0 + CONCAT({row}.allocation_ratio))",
        whole="CAST(TRUNCATE(({row}.total - {row}.reserved)"
        " * (0e0 + CONCAT({row}.allocation_ratio)), 0) AS SIGNED)",
    ),
    "postgresql": _BOUNDED.format(
        product="(CAST({row}.total AS float8) - {row}.reserved) * {row}.allocation_ratio",
        whole="CAST(trunc((CAST({row}.total AS float8) - {row}.reserved)"
        " * {row}.allocation_ratio) AS bigint)",
    ),
    "sqlite": _BOUNDED.format(
        product="({row}.total - {row}.reserved) * {row}.allocation_ratio",
        whole="CAST(({row}.total - {row}.reserved) * {row}.allocation_ratio AS INTEGER)",
    ),
}


class Wrong(NamedTuple):
    """An inventory whose recorded sums differ from those derived from the other columns."""

    inventory_id: int
    provider_id: int
    class_id: int
    capacity: int
    derived_capacity: int
    used: int
    allocated: int


def capacity_sql(dialect_name, row):
    """Return the SQL for the capacity of `row`: "inventories", or "NEW" in a trigger."""
    return _CAPACITY[dialect_name].format(row=row)


def find_wrong(conn):
    """Return the Wrong inventories.

    In a reader's transaction the result is exact, even if others write meanwhile.
    Cost: one query, on all inventories and allocations.
    """
    # In MariaDB, a sum of integers is a decimal.
    return [
        Wrong(*row[:-1], allocated=int(row[-1]))
        for row in conn.execute(_drift_query(conn.dialect.name))
    ]


def _drift_query(dialect_name):
    """Select the inventories whose recorded capacity or usage is wrong."""
    sums = (
        sa.select(
            _allocations.c.resource_provider_id,
            _allocations.c.resource_class_id,
            sa.func.sum(_allocations.c.used).label("used"),
        )
        .group_by(_allocations.c.resource_provider_id, _allocations.c.resource_class_id)
        .with_hint(_allocations, *tables.PROVIDER_AND_CLASS_HINT)
        .subquery()
    )
    derived = sa.literal_column(capacity_sql(dialect_name, "inventories"))
    allocated = sa.func.coalesce(sums.c.used, 0)
    return (
        sa.select(
            _inventories.c.id,
            _inventories.c.resource_provider_id,
            _inventories.c.resource_class_id,
            _inventories.c.capacity,
            derived,
            _inventories.c.used,
            allocated,
        )
        .outerjoin(
            sums,
            sa.and_(
                sums.c.resource_provider_id == _inventories.c.resource_provider_id,
                sums.c.resource_class_id == _inventories.c.resource_class_id,
            ),
        )
        .where(sa.or_(_inventories.c.capacity != derived, _inventories.c.used != allocated))
    )


def correct_all(database, tell=lambda step: None):
    """Correct all sums, even while the service runs. Return how many inventories were wrong.

    If there are triggers, they count what others write meanwhile. `tell` is called with a sentence
    before each step.
    """
    tell(COMPARING)
    with database.reader() as conn:
        wrong = find_wrong(conn)
    provider_ids = sorted({inventory.provider_id for inventory in wrong})
    for number, chunk in enumerate(chunks(provider_ids, _BATCH)):
        tell(f"Recounting providers: {number * _BATCH:,} of {len(provider_ids):,}")
        database.in_transaction(functools.partial(of_providers, provider_ids=chunk))
    tell("Comparing the generations of all providers")
    catch_up_all(database)
    return len(wrong)


def catch_up_all(database):
    """Recount the providers whose generations show that another program wrote to them.

    Cost: one query on all providers, and then the cost of catch_up for each batch of them.
    """
    with database.reader() as conn:
        stale = conn.scalars(sa.select(_providers.c.id).where(_is_stale)).all()
    for chunk in chunks(sorted(stale), _BATCH):
        database.in_transaction(functools.partial(catch_up, provider_ids=chunk))


# The condition that the derived sums of a provider are right, and its opposite. Unlike !=, the
# opposite is true if only one of the two generations is NULL.
is_counted = _providers.c.counted_generation == _providers.c.generation
_is_stale = _providers.c.counted_generation.is_distinct_from(_providers.c.generation)


def catch_up(conn, provider_ids):
    """Lock those providers that others wrote to, correct their sums, and return their ids.

    Cost: one query; three more statements if there are such providers.
    """
    stale = conn.scalars(
        sa.select(_providers.c.id)
        .where(is_one_of(_providers.c.id, provider_ids), _is_stale)
        .order_by(_providers.c.id)
        .with_for_update()
    ).all()
    if stale:
        of_providers(conn, stale)
        conn.execute(
            sa.update(_providers)
            .where(is_one_of(_providers.c.id, stale))
            .values(
                counted_generation=_providers.c.generation, updated_at=_providers.c.updated_at
            )
        )
    return stale


def of_providers(conn, provider_ids):
    """Recompute the sums of some providers. Cost: two statements."""
    is_of_providers = is_one_of(_inventories.c.resource_provider_id, provider_ids)
    # A writer of allocations either has the lock on their inventory, or waits for that lock before
    # it adds to the sums. So the UPDATE, which reads the current state, misses nothing.
    conn.execute(
        sa.select(_inventories.c.id)
        .where(is_of_providers)
        .order_by(_inventories.c.resource_provider_id, _inventories.c.resource_class_id)
        .with_for_update()
    ).all()
    conn.execute(
        sa.update(_inventories)
        .where(is_of_providers)
        .values(
            capacity=sa.literal_column(capacity_sql(conn.dialect.name, "inventories")),
            used=allocated,
            updated_at=_inventories.c.updated_at,
        )
    )


# The sum of the allocations of the inventory in the enclosing statement.
allocated = (
    sa.select(sa.func.coalesce(sa.func.sum(_allocations.c.used), 0))
    .where(
        _allocations.c.resource_provider_id == _inventories.c.resource_provider_id,
        _allocations.c.resource_class_id == _inventories.c.resource_class_id,
    )
    .correlate(_inventories)
    .scalar_subquery()
)
