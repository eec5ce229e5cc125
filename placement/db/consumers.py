"""SQL statements for consumers, which hold allocations.

Nothing is decided from an earlier read: each statement that writes has the condition that the
generation is still the one that the client has seen. So two writers of one consumer queue on its
row.
"""

import datetime
from typing import NamedTuple

import sqlalchemy as sa

from placement import constants
from placement.db import tables
from placement.db.chunks import MAX_CONDITIONS, chunks
from placement.db.faults import drivers
from placement.db.sql import complete_rows, prepared
from placement.db.sql.complete_rows import IS_COMPLETE
from placement.db.sql.prepared import ONE

_consumers = tables.consumers
_projects = tables.projects
_users = tables.users
_types = tables.consumer_types


class Owner(NamedTuple):
    """The project, user and type of a consumer, as integer keys."""

    project_id: int
    user_id: int
    consumer_type_id: int | None


class ConsumerState(NamedTuple):
    """A consumer and who owns it; `consumer_type` is None if the consumer never got a type."""

    uuid: str
    generation: int
    project_id: str
    user_id: str
    consumer_type: str | None
    created_at: datetime.datetime | None


def shown_type(consumer_type):
    """Return the type of a consumer as answers show it, even if it never got one.

    Source: doc/explanation/rules.rst, C4.
    """
    return consumer_type or constants.UNKNOWN_CONSUMER_TYPE


def stored_type(shown):
    """Undo `shown_type`: return the type as it is stored; None if `shown` stands for no type."""
    return None if shown == constants.UNKNOWN_CONSUMER_TYPE else shown


def _name_of(table, key, name):
    """Select the column `name` of the row in `table` whose id is in the column `key`."""
    return sa.select(name).where(table.c.id == key).scalar_subquery()


def _state_columns():
    """Return the columns of a ConsumerState (`created_at` as text), followed by IS_COMPLETE."""
    # These are subqueries because the rows of joined tables would be locked, too.
    return (
        _consumers.c.uuid,
        _consumers.c.generation,
        _name_of(_projects, _consumers.c.project_id, _projects.c.external_id),
        _name_of(_users, _consumers.c.user_id, _users.c.external_id),
        _name_of(_types, _consumers.c.consumer_type_id, _types.c.name),
        sa.cast(_consumers.c.created_at, sa.String(26)),
        IS_COMPLETE,
    )


def _states(rows):
    """Return {uuid: ConsumerState}. Raises: Outage if a row of _state_columns is incomplete."""
    return {
        uuid: ConsumerState(uuid, *state, drivers.parsed_moment(created_at))
        for uuid, *state, created_at in complete_rows.checked(rows)
    }


@prepared.for_each_shape
def _lock_statement(count):
    """Select the state columns of `count` consumers, and lock these rows."""
    return (
        sa.select(*_state_columns())
        .where(
            _consumers.c.uuid.in_([uuid for (uuid,) in prepared.numbered(count, "consumer_uuid")])
        )
        .order_by(_consumers.c.uuid)
        .with_for_update()
    )


def lock(conn, uuids):
    """Return {uuid: ConsumerState} of the consumers that exist, and keep others from changing them.

    Cost: one statement for each chunk.
    """
    states = {}
    for chunk in chunks(sorted(uuids), MAX_CONDITIONS):
        rows = prepared.padded([(uuid,) for uuid in chunk])
        parameters = prepared.values(rows, "consumer_uuid")
        states |= _states(_lock_statement(len(rows)).execute(conn, parameters))
    # This leaves out consumers whose uuid differs in case.
    return {uuid: states[uuid] for uuid in uuids if uuid in states}


def insert(conn, uuids_by_owner):
    """Add consumers, at generation 1: they get their first allocations in the same transaction.

    Return the moment at which they are created, as prepared.now() writes it.
    uuids_by_owner: {Owner: uuids}
    Raises: DBDuplicateEntry when one of them exists.
    """
    moment = prepared.now()
    prepared.insert(
        conn,
        _consumers,
        ("uuid", "generation", *Owner._fields),
        [
            (uuid, 1, *owner)
            for owner, uuids in uuids_by_owner.items()
            for uuid in sorted(uuids)
        ],
        moment=moment,
    )
    return moment


def advance(conn, owner, seen):
    """Advance the generation of consumers, and set their Owner.

    Return whether all were at the generations `seen`. If not, the transaction must be
    rolled back.
    owner: if it has no type, the consumers keep their types
    seen: {uuid: generation that the client has seen}; a generation of None matches any
    """
    new = {**owner._asdict(), "now": prepared.now()}
    return _write_all(conn, _advance_statement, seen, new)


def delete_seen(conn, seen):
    """Remove consumers. Return whether all were at the generations `seen`.

    If not, the transaction must be rolled back.
    seen: {uuid: generation that the client has seen}; a generation of None matches any
    """
    return _write_all(conn, _delete_statement, seen, {})


def delete_one(conn, uuid, generation):
    """Remove a consumer if it is at `generation`; None matches any. Return its ConsumerState.

    If no such consumer is at that generation, return None; then the transaction must be rolled
    back.
    Cost: one statement, or two where DELETE cannot return rows: on MySQL and SQLite before 3.35.
    """
    if not conn.dialect.delete_returning:
        state = lock(conn, {uuid}).get(uuid)
        return state if delete_seen(conn, {uuid: generation}) else None
    rows = _delete_one_statement.execute(conn, prepared.values([(uuid, generation)], *_SEEN))
    return _states(rows).get(uuid)


_SEEN = ("seen_uuid", "seen_generation")


def _write_all(conn, statement_for, seen, parameters):
    """Write to the consumers `seen`, and return whether the statements found all of them.

    statement_for: (number of consumers) -> the Prepared that writes to them
    seen: {uuid: generation}; the generation is None if it does not matter
    parameters: {name: value} for the values that the statement writes
    Cost: one statement for each chunk; none if `seen` is empty.
    """
    return all(
        _write(conn, statement_for, chunk, parameters)
        for chunk in chunks(sorted(seen.items()), MAX_CONDITIONS)
    )


def _write(conn, statement_for, seen, parameters):
    """Write to `seen`, a chunk of pairs (uuid, generation). Return whether all were found."""
    rows = prepared.padded(seen)
    parameters = parameters | prepared.values(rows, *_SEEN)
    return statement_for(len(rows)).execute(conn, parameters).rowcount == len(seen)


@prepared.for_each_shape
def _advance_statement(count):
    """Return the UPDATE of `count` consumers that are still as they were seen.

    A NULL type leaves their type unchanged.
    """
    return (
        sa.update(_consumers)
        .where(_are_as_seen(count))
        .values(
            updated_at=sa.bindparam("now"),
            generation=_consumers.c.generation + ONE,
            project_id=sa.bindparam("project_id"),
            user_id=sa.bindparam("user_id"),
            consumer_type_id=sa.func.coalesce(
                sa.bindparam("consumer_type_id", type_=sa.Integer), _consumers.c.consumer_type_id
            ),
        )
    )


@prepared.for_each_shape
def _delete_statement(count):
    return sa.delete(_consumers).where(_are_as_seen(count))


_delete_one_statement = prepared.Prepared(
    lambda: sa.delete(_consumers).where(_are_as_seen(1)).returning(*_state_columns())
)


def _are_as_seen(count):
    """The condition that a consumer is one of `count`, still at the generation that was seen."""
    return sa.or_(
        *(
            sa.and_(
                _consumers.c.uuid == uuid,
                # A parameter of NULL matches any generation.
                sa.func.coalesce(generation, _consumers.c.generation) == _consumers.c.generation,
            )
            for uuid, generation in prepared.numbered(count, *_SEEN)
        )
    )
