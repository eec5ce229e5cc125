"""Writes that the history lacks: the generation of a subject is not that of its newest change.

What has no change in the history is left out: it may be older than the history. So is what another
program has changed, until that change has a position: before, it has no generation.
"""

import sqlalchemy as sa

from placement.db import tables
from placement.db.feed.recording import ChangeKind
from placement.db.reports.audit import EXAMPLES, Counted, counted
from placement.db.sql import packed_rows
from placement.db.sql.chunks import chunks

_BATCH = 10_000

_changes = tables.changes
_consumers = tables.consumers
_providers = tables.resource_providers

_has_no_position = _changes.c.position.is_(None)
_is_foreign = _changes.c.operation.is_(None)
_is_of_provider = _changes.c.kind == ChangeKind.PROVIDER


def find(conn):
    """Return a Counted of the providers and consumers whose last write is not in the history.

    Cost: two queries, one for each ten thousand changes, and one for each ten thousand providers
        that were changed.
    """
    providers = _providers_without_change(conn)
    consumers = _consumers_without_change(conn)
    return Counted(
        len(providers) + consumers.count, [*providers, *consumers.examples][:EXAMPLES]
    )


def _providers_without_change(conn):
    """Return examples, one for each provider."""
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
    found = {}
    for change in _changes_in_order(conn):
        is_unknown = change.position is None and change.is_foreign
        if change.is_deletion or is_unknown:
            found.pop(change.uuid, None)
        else:
            for pair in packed_rows.rows_of(change.generations):
                uuid, generation = pair.rsplit(",", 1)
                found[uuid] = int(generation)
    return found


def _changes_in_order(conn):
    """Yield the changes that concern providers; those without a position are the newest."""
    is_deletion = sa.and_(_is_of_provider, _changes.c.state_after.is_(None))
    query = sa.select(
        *(_changes.c.position, _changes.c.uuid, _changes.c.generations),
        is_deletion.label("is_deletion"),
        _is_foreign.label("is_foreign"),
    ).where(sa.or_(_changes.c.generations.is_not(None), is_deletion))
    position = 0
    while True:
        batch = query.where(_changes.c.position > position).order_by(_changes.c.position)
        rows = conn.execute(batch.limit(_BATCH)).all()
        yield from rows
        if len(rows) < _BATCH:
            break
        position = rows[-1].position
    yield from conn.execute(query.where(_has_no_position).order_by(_changes.c.id))


def _consumers_without_change(conn):
    of_consumers = _changes.c.kind == ChangeKind.ALLOCATIONS
    newest = (
        sa.select(sa.func.max(_changes.c.position))
        .where(of_consumers, ~_has_no_position)
        .group_by(_changes.c.uuid)
    )
    later = _changes.alias("later")
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
