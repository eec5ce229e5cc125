"""Advance the generations of providers, once their derived sums are right."""

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import MAX_CONDITIONS, chunks
from placement.db.derived_sums import recount
from placement.db.sql import prepared
from placement.db.sql.conditions import Exact
from placement.db.sql.prepared import ONE, Prepared

_providers = tables.resource_providers


def advance(conn, provider_id, uuid, generation, steps=1):
    """Advance a provider if it still exists and is at `generation`. Return whether it was advanced.

    If it was, no other transaction can change the provider until this one ends, and the derived
    sums of the provider are right.
    steps: how much is added to the generation
    """
    parameters = {
        "provider_id": provider_id,
        "uuid": uuid,
        "seen": generation,
        "next": generation + steps,
        "now": prepared.now(),
    }
    if _advance_one.execute(conn, parameters).rowcount == 1:
        return True
    # The statement also refuses a provider whose sums another program has left wrong. These sums
    # are corrected now, and then the statement is tried again.
    caught_up = recount.catch_up(conn, {provider_id})
    return bool(caught_up) and _advance_one.execute(conn, parameters).rowcount == 1


_advance_one = Prepared(
    lambda: (
        sa.update(_providers)
        .where(
            _providers.c.id == sa.bindparam("provider_id"),
            _providers.c.uuid == sa.bindparam("uuid"),
            _providers.c.generation == sa.bindparam("seen"),
            recount.is_counted,
        )
        .values(
            updated_at=sa.bindparam("now"),
            generation=sa.bindparam("next"),
            counted_generation=sa.bindparam("next"),
        )
    )
)


def advance_all(conn, providers):
    """Advance several providers, whatever their generation. Return how many were advanced.

    `providers` is a set of (id, uuid). A provider with another uuid is left alone, so of two pairs
    with the same id, at most one counts. A uuid of None matches any. Afterwards, the derived sums
    of these providers are right.
    Cost: one statement for each chunk.
    """
    advanced = _advance_counted(conn, providers)
    # If another program has left the sums of some providers wrong, these sums are corrected, and
    # then these providers are advanced.
    if advanced < len(providers):
        caught_up = set(recount.catch_up(conn, {provider_id for provider_id, _ in providers}))
        advanced += _advance_counted(
            conn, [(key, uuid) for key, uuid in providers if key in caught_up]
        )
    return advanced


def _advance_counted(conn, providers):
    """Advance those `providers`, pairs (id, uuid), whose sums are right; return their number."""
    return sum(
        _advance_statement(len(rows))
        .execute(conn, {"now": prepared.now(), **prepared.values(rows, "provider_id", "uuid")})
        .rowcount
        for rows in map(prepared.padded, chunks(sorted(providers), MAX_CONDITIONS))
    )


@prepared.for_each_shape
def _advance_statement(count):
    """Return the UPDATE for `count` providers, if their sums are right; a NULL uuid matches any."""
    own_uuid = _providers.c.uuid
    is_meant = sa.or_(
        *(
            sa.and_(_providers.c.id == key, own_uuid == Exact(sa.func.coalesce(uuid, own_uuid)))
            for key, uuid in prepared.numbered(count, "provider_id", "uuid")
        )
    )
    return (
        sa.update(_providers)
        .where(is_meant, recount.is_counted)
        .values(
            updated_at=sa.bindparam("now"),
            generation=_providers.c.generation + ONE,
            # This is not computed from `generation`, which in MySQL already has its new value here.
            counted_generation=_providers.c.counted_generation + ONE,
        )
    )
