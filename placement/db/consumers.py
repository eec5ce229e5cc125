"""Statements on consumers, which hold allocations.

No consumer is read to decide: what a client has seen is in the condition of the
statement, so two writers of one consumer queue on its row.
"""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import MAX_CONDITIONS, chunks

_consumers = tables.consumers


class Owner(NamedTuple):
    """The project, user and type of a consumer, in integer keys."""

    project_id: int
    user_id: int
    consumer_type_id: int | None


# The consumers of a statement: all of them by uuid, for the index, and then those of which the
# generation was seen with it, and those of which it does not matter.
_are_as_seen = sa.and_(
    _consumers.c.uuid.in_(sa.bindparam("uuids", expanding=True)),
    sa.or_(
        sa.tuple_(_consumers.c.uuid, _consumers.c.generation).in_(
            sa.bindparam("checked", expanding=True)
        ),
        _consumers.c.uuid.in_(sa.bindparam("unchecked", expanding=True)),
    ),
)

_advance_statement = (
    sa.update(_consumers)
    .where(_are_as_seen)
    .values(
        generation=_consumers.c.generation + 1,
        project_id=sa.bindparam("new_project_id"),
        user_id=sa.bindparam("new_user_id"),
        consumer_type_id=sa.func.coalesce(
            sa.bindparam("new_consumer_type_id", type_=sa.Integer), _consumers.c.consumer_type_id
        ),
    )
)

_delete_statement = sa.delete(_consumers).where(_are_as_seen)


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
    """Advance the generation of the consumers `seen`, and set their owner.

    An owner without a type leaves their types alone.
    Return whether all are as they were seen. If not, the transaction must be given up.
    """
    new = {f"new_{field}": key for field, key in owner._asdict().items()}
    return _write_all(conn, _advance_statement, seen, **new)


def delete(conn, seen):
    """Remove the consumers `seen`.

    Return whether all are as they were seen. If not, the transaction must be given up.
    """
    return _write_all(conn, _delete_statement, seen)


def _write_all(conn, statement, seen, **parameters):
    """Write to the consumers `seen`, and return whether the statement met all of them.

    `seen` is {uuid: generation}; the generation is None if it does not matter.
    Cost: one statement for each hundred; none if there are none.
    """
    return all(
        conn.execute(statement, parameters | _parameters(chunk)).rowcount == len(chunk)
        for chunk in chunks(sorted(seen.items()), MAX_CONDITIONS)
    )


def _parameters(items):
    return {
        "uuids": [uuid for uuid, _ in items],
        "checked": [item for item in items if item[1] is not None],
        "unchecked": [uuid for uuid, generation in items if generation is None],
    }
