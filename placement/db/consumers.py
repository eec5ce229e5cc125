"""Statements on consumers, who hold allocations.

No consumer is read to decide: what a client has seen stands in the condition of the
statement, so two writers of one consumer queue on its row.
"""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.pieces import pieces

_consumers = tables.consumers


class Owner(NamedTuple):
    """Whose a consumer is, and of which type, in integer keys."""

    project_id: int
    user_id: int
    consumer_type_id: int | None


def insert(conn, uuids_by_owner):
    """Add consumers at generation 1, which is what follows their first allocations.

    Raises: DBDuplicateEntry when there is one of them.
    """
    if uuids_by_owner:
        conn.execute(
            sa.insert(_consumers),
            [
                {"uuid": uuid, "generation": 1, **owner._asdict()}
                for owner, uuids in uuids_by_owner.items()
                for uuid in sorted(uuids)
            ],
        )


def advance(conn, owner, seen):
    """Advance the generation of the consumers `seen`, and set whose they are.

    An owner without a type leaves their types alone.
    Return whether all are as they were seen. If not, the transaction must be given up.
    """
    new = owner._asdict() | {
        "generation": _consumers.c.generation + 1,
        "consumer_type_id": sa.func.coalesce(
            sa.literal(owner.consumer_type_id, sa.Integer), _consumers.c.consumer_type_id
        ),
    }
    return _write_all(conn, sa.update(_consumers).values(new), seen)


def delete(conn, seen):
    """Remove the consumers `seen`.

    Return whether all are as they were seen. If not, the transaction must be given up.
    """
    return _write_all(conn, sa.delete(_consumers), seen)


def _write_all(conn, statement, seen):
    """Apply an UPDATE or DELETE to the consumers `seen`, and return whether it met all of them.

    `seen` is {uuid: generation}; the generation is None if it does not matter.
    Cost: one statement for each ten thousand; none if there are none.
    """
    return all(
        conn.execute(statement.where(_are_as_seen(dict(piece)))).rowcount == len(piece)
        for piece in pieces(sorted(seen.items(), key=_by_uuid))
    )


def _by_uuid(item):
    return item[0]


def _are_as_seen(seen):
    generations = [(uuid, seen[uuid]) for uuid in seen if seen[uuid] is not None]
    anyhow = [uuid for uuid in seen if seen[uuid] is None]
    return sa.and_(
        _consumers.c.uuid.in_(list(seen)),
        sa.or_(
            sa.tuple_(_consumers.c.uuid, _consumers.c.generation).in_(generations),
            _consumers.c.uuid.in_(anyhow),
        ),
    )
