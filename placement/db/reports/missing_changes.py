"""Writes that the history lacks: the generation of a subject is not that of its newest change.

A subject without a change in the history is left out, because it may be older than the history. A
subject that another program has changed is left out, too, until that change has a position: only
then does the change have a generation.
"""

import itertools

import sqlalchemy as sa

from placement import constants
from placement.db import tables
from placement.db.chunks import chunks
from placement.db.feed.recording import ChangeKind
from placement.db.reports.ledger_checks import Counted, counted
from placement.db.sql import packed_rows

_BATCH = 10_000
# A number greater than every position.
_LATER = constants.MAX_CAPACITY

_changes = tables.changes
_consumers = tables.consumers
_providers = tables.resource_providers

_has_no_position = _changes.c.position.is_(None)
_is_foreign = _changes.c.operation.is_(None)
_is_of_provider = _changes.c.kind == ChangeKind.PROVIDER


def find(conn):
    """Return a Counted of the providers and consumers whose last write is not in the history.

    Cost: three queries, one more for each chunk of changes to several providers at once, and
        one for each chunk of providers that were changed.
    """
    providers = _providers_without_change(conn)
    consumers = _consumers_without_change(conn)
    examples = [*providers, *consumers.examples][: constants.MOST_EXAMPLES]
    return Counted(len(providers) + consumers.count, examples)


def _providers_without_change(conn):
    """Return a dict for each provider whose generation is not that of its last change."""
    newest = _newest_generations(conn)
    query = sa.select(_providers.c.uuid, _providers.c.name, _providers.c.generation)
    return [
        {
            "provider_uuid": row.uuid,
            "provider": row.name,
            "generation": row.generation,
            "newest_change": newest[row.uuid],
        }
        for chunk in chunks(sorted(newest))
        for row in conn.execute(query.where(_providers.c.uuid.in_(chunk)))
        if row.generation != newest[row.uuid]
    ]


def _newest_generations(conn):
    """Return {uuid of a provider: its generation after its newest change}."""
    # Uuid -> (position of the newest change so far, generation after it).
    newest = {}
    changes = (_newest_of_one(conn), _others_with_position(conn), _without_position(conn))
    for change in itertools.chain.from_iterable(changes):
        # Nothing can be said about a provider that was deleted, or whose generation is not known.
        if change.is_deletion or change.generations is None:
            generations = {change.uuid: None}
        else:
            pairs = [row.rsplit(",", 1) for row in packed_rows.rows_of(change.generations)]
            generations = {uuid: int(generation) for uuid, generation in pairs}
        for uuid, generation in generations.items():
            if newest.get(uuid, (0, None))[0] <= change.position:
                newest[uuid] = change.position, generation
    return {
        uuid: generation for uuid, (_, generation) in newest.items() if generation is not None
    }


# The next three functions yield changes as rows (position, uuid, generations, is_deletion). The
# generations are packed rows of uuid and generation, or None if these are not known.
_is_deletion = sa.and_(_is_of_provider, _changes.c.state_after.is_(None))
_with_position = sa.select(
    *(_changes.c.position, _changes.c.uuid, _changes.c.generations),
    _is_deletion.label("is_deletion"),
)
# The beginning of the generations of one provider: "1:uuid,generation;".
_OF_ONE = "1:%"


def _newest_of_one(conn):
    """Yield, for each provider, the newest change to it alone that has a position."""
    newest = (
        sa.select(sa.func.max(_changes.c.position))
        .where(~_is_deletion, _changes.c.generations.like(_OF_ONE), ~_has_no_position)
        # The changes are grouped by the uuid, which follows "1:".
        .group_by(sa.func.substr(_changes.c.generations, 3, 36))
    )
    yield from conn.execute(_with_position.where(_changes.c.position.in_(newest)))


def _others_with_position(conn):
    """Yield the deletions, and the changes to several providers at once, that have a position."""
    query = _with_position.where(sa.or_(_is_deletion, _changes.c.generations.not_like(_OF_ONE)))
    position = 0
    while True:
        batch = query.where(_changes.c.position > position).order_by(_changes.c.position)
        rows = conn.execute(batch.limit(_BATCH)).all()
        yield from rows
        if len(rows) < _BATCH:
            break
        position = rows[-1].position


def _without_position(conn):
    """Yield the changes without a position, oldest first. Each gets the position _LATER."""
    query = sa.select(
        sa.literal(_LATER).label("position"),
        _changes.c.uuid,
        # What another program has written has no generations of this form yet.
        sa.case((_is_foreign, sa.null()), else_=_changes.c.generations).label("generations"),
        _is_deletion.label("is_deletion"),
    ).where(sa.or_(_changes.c.generations.is_not(None), _is_deletion))
    yield from conn.execute(query.where(_has_no_position).order_by(_changes.c.id))


def _consumers_without_change(conn):
    """Return a Counted of the consumers whose generation is not in their newest change.

    Consumers without allocations are left out. So are those with changes that have no position yet.
    """
    of_consumers = _changes.c.kind == ChangeKind.ALLOCATIONS
    newest = (
        sa.select(sa.func.max(_changes.c.position))
        .where(of_consumers, ~_has_no_position)
        .group_by(_changes.c.uuid)
    )
    later = _changes.alias("later")
    # A pattern for the JSON of a state.
    generation = (
        sa.literal('%"consumer_generation":')
        + sa.cast(_consumers.c.generation, sa.String(20))
        + sa.literal(",%")
    )
    query = (
        sa.select(
            _consumers.c.uuid.label("consumer_uuid"),
            _consumers.c.generation,
        )
        .join(_changes, _changes.c.uuid == _consumers.c.uuid)
        .where(
            of_consumers,
            _changes.c.position.in_(newest),
            sa.or_(_changes.c.state_after.is_(None), _changes.c.state_after.not_like(generation)),
            sa.exists().where(tables.allocations.c.consumer_id == _consumers.c.uuid),
            ~sa.exists().where(later.c.uuid == _consumers.c.uuid, later.c.position.is_(None)),
        )
    )
    return counted(conn, query, _consumers.c.id)
