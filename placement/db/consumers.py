"""Statements on consumers, the owners of allocations."""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.pieces import is_one_of, pieces

_consumers = tables.consumers


class ConsumerRow(NamedTuple):
    id: int
    uuid: str
    generation: int
    project_id: int
    user_id: int
    consumer_type_id: int | None


class Owner(NamedTuple):
    """Whose a consumer is, and of which type, in integer keys."""

    project_id: int
    user_id: int
    consumer_type_id: int | None


_lock_query = (
    sa.select(*(_consumers.c[field] for field in ConsumerRow._fields))
    .where(_consumers.c.uuid.in_(sa.bindparam("uuids", expanding=True)))
    .order_by(_consumers.c.uuid)
    .with_for_update()
)

_advance_statement = (
    sa.update(_consumers)
    .where(_consumers.c.id == sa.bindparam("consumer"))
    .values(
        generation=_consumers.c.generation + 1,
        **{field: sa.bindparam(f"new_{field}") for field in Owner._fields},
    )
)


def lock(conn, uuids):
    """Return {uuid: ConsumerRow} of those that exist, and keep others from changing them.

    Cost: one query for each ten thousand.
    """
    found = {}
    for piece in pieces(sorted(uuids)):
        for row in map(ConsumerRow._make, conn.execute(_lock_query, {"uuids": piece})):
            if row.uuid in uuids:
                found[row.uuid] = row
    return found


def insert(conn, owners_by_uuid):
    """Add consumers at generation 1, which is what follows their first allocations.

    Raises: DBDuplicateEntry when another writer adds one of them at this moment.
    """
    if owners_by_uuid:
        conn.execute(
            sa.insert(_consumers),
            [
                {"uuid": uuid, "generation": 1, **owner._asdict()}
                for uuid, owner in sorted(owners_by_uuid.items())
            ],
        )


def advance(conn, owners_by_id):
    """Advance the generation of locked consumers, and set whose they are."""
    if owners_by_id:
        conn.execute(
            _advance_statement,
            [
                {
                    "consumer": consumer_id,
                    **{f"new_{field}": key for field, key in owner._asdict().items()},
                }
                for consumer_id, owner in owners_by_id.items()
            ],
        )


def delete(conn, consumer_ids):
    if consumer_ids:
        conn.execute(sa.delete(_consumers).where(is_one_of(_consumers.c.id, consumer_ids)))
