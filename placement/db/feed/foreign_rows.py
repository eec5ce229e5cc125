"""The rows of the feed that triggers stored, and the other rows about the same subjects.

Source: doc/explanation/changes.rst.
"""

import collections
import datetime
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import chunks
from placement.db.inventories import StockedClass
from placement.db.sql import consumer_owners
from placement.db.sql.conditions import is_one_of

_changes = tables.changes
_consumers = tables.consumers


class ForeignRow(NamedTuple):
    """A row that a trigger stored; foreign_triggers.py says what it contains."""

    id: int
    kind: str
    uuid: str | None
    name: str | None
    generation: str | None
    before: str | None
    after: str | None


class KnownRow(NamedTuple):
    """Another change to the same subject; its states are strings, as stored."""

    id: int
    kind: str
    uuid: str
    before: str | None
    after: str | None


class SeenAllocation(NamedTuple):
    """What a consumer holds of one class of a provider, and the rest of the consumer's state."""

    consumer_uuid: str
    provider_uuid: str
    class_name: str
    amount: int
    generation: int
    consumer_type: str | None
    project_id: str
    user_id: str
    created_at: datetime.datetime | None


_KNOWN = (
    _changes.c.id,
    _changes.c.kind,
    _changes.c.uuid,
    _changes.c.state_before,
    _changes.c.state_after,
)


def rows(conn, ids):
    """Return the ForeignRows with these ids, in order. Cost: one query."""
    query = sa.select(
        *(_changes.c.id, _changes.c.kind, _changes.c.uuid, _changes.c.name),
        *(_changes.c.generations, _changes.c.state_before, _changes.c.state_after),
    )
    found = conn.execute(query.where(is_one_of(_changes.c.id, ids)).order_by(_changes.c.id))
    return [ForeignRow(*row) for row in found]


def ours_without_position(conn, uuids):
    """Return the KnownRows that we stored about some subjects, and that have no position yet.

    Cost: one query for each chunk of subjects.
    """
    query = sa.select(*_KNOWN).where(
        _changes.c.position.is_(None), _changes.c.operation.is_not(None)
    )
    return [
        KnownRow(*row)
        for chunk in chunks(sorted(uuids))
        for row in conn.execute(query.where(_changes.c.uuid.in_(chunk)))
    ]


def last_with_position(conn, uuids):
    """Return the last KnownRow with a position, for each subject and each kind of change.

    Cost: two queries for each chunk of subjects.
    """
    newest = sa.select(sa.func.max(_changes.c.position)).where(_changes.c.position.is_not(None))
    newest = newest.group_by(_changes.c.kind, _changes.c.uuid)
    positions = [
        position
        for chunk in chunks(sorted(uuids))
        for position in conn.scalars(newest.where(_changes.c.uuid.in_(chunk)))
    ]
    query = sa.select(*_KNOWN).where(is_one_of(_changes.c.position, positions))
    return [KnownRow(*row) for row in conn.execute(query)]


_seen_query = consumer_owners.joined(
    sa.select(
        _consumers.c.uuid,
        tables.resource_providers.c.uuid,
        tables.resource_classes.c.name,
        tables.allocations.c.used,
        _consumers.c.generation,
        consumer_owners.TYPE,
        consumer_owners.PROJECT,
        consumer_owners.USER,
        _consumers.c.created_at,
    )
    .select_from(tables.allocations)
    .join(_consumers, _consumers.c.uuid == tables.allocations.c.consumer_id)
    .join(
        tables.resource_providers,
        tables.resource_providers.c.id == tables.allocations.c.resource_provider_id,
    )
    .join(
        tables.resource_classes,
        tables.resource_classes.c.id == tables.allocations.c.resource_class_id,
    )
    .order_by(tables.resource_providers.c.id, tables.resource_classes.c.id)
)


def seen_allocations(conn, consumer_uuids):
    """Return the SeenAllocations of consumers. Cost: one query for each chunk."""
    return [
        SeenAllocation(*row)
        for chunk in chunks(sorted(consumer_uuids))
        for row in conn.execute(_seen_query.where(tables.allocations.c.consumer_id.in_(chunk)))
    ]


def stocked(conn, provider_ids):
    """Return {provider_id: [StockedClass]}, standard classes first.

    Cost: one query for each chunk of providers.
    """
    classes, inventories = tables.resource_classes, tables.inventories
    query = (
        sa.select(
            inventories.c.resource_provider_id,
            classes.c.id,
            classes.c.name,
            # The first two fields of StockedClass are the id and the name of the class.
            *(inventories.c[field] for field in StockedClass._fields[2:]),
        )
        .join(classes, classes.c.id == inventories.c.resource_class_id)
        .order_by(classes.c.id)
    )
    return _by_provider(
        conn, query, inventories.c.resource_provider_id, provider_ids, StockedClass
    )


def trait_names(conn, provider_ids):
    """Return {provider_id: names of its traits}, standard ones first.

    Cost: one query for each chunk of providers.
    """
    links = tables.resource_provider_traits
    query = (
        sa.select(links.c.resource_provider_id, tables.traits.c.name)
        .join(tables.traits, tables.traits.c.id == links.c.trait_id)
        .order_by(tables.traits.c.id)
    )
    return _by_provider(conn, query, links.c.resource_provider_id, provider_ids, str)


def aggregate_uuids(conn, provider_ids):
    """Return {provider_id: uuids of its aggregates}, oldest first.

    Cost: one query for each chunk of providers.
    """
    members, aggregates = tables.resource_provider_aggregates, tables.aggregates
    query = (
        sa.select(members.c.resource_provider_id, aggregates.c.uuid)
        .join(aggregates, aggregates.c.id == members.c.aggregate_id)
        .order_by(aggregates.c.id)
    )
    return _by_provider(conn, query, members.c.resource_provider_id, provider_ids, str)


def _by_provider(conn, query, column, provider_ids, make):
    """Return {provider_id: [make(*its other columns) for each row of the provider]}.

    `column` is the first column of `query`, and has the provider_id.
    Cost: one query for each chunk of providers.
    """
    made = collections.defaultdict(list)
    for chunk in chunks(sorted(provider_ids)):
        for provider_id, *rest in conn.execute(query.where(is_one_of(column, chunk))):
            made[provider_id].append(make(*rest))
    return made
