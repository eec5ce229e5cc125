"""Consumers with everything they hold, batch by batch, for plans that move them."""

import collections
import itertools
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import chunks
from placement.db.faults import outages
from placement.db.provider_room import HeldOnProvider
from placement.db.sql import consumer_owners, many_shapes, packed_rows
from placement.db.sql.conditions import is_one_of

_allocations = tables.allocations
_consumers = tables.consumers

_BATCH = 10_000


class Holder(NamedTuple):
    """A consumer, and what it holds on each provider."""

    id: int
    held: tuple[HeldOnProvider, ...]


class KnownConsumer(NamedTuple):
    """A consumer, described with the names that clients use."""

    uuid: str
    generation: int
    project_id: str
    user_id: str
    consumer_type: str | None


def read_all(conn, **keys):
    """Yield every Holder, or those with a given `consumer_type_id` or `project_id`, by id.

    A `consumer_type_id` of None means consumers without a type. Example:
    read_all(conn, project_id=7).
    Cost: two queries for each chunk of consumers; more if MySQL cuts a text.
    """
    return _read(conn, [_consumers.c[column] == key for column, key in keys.items()])


def on_providers(conn, provider_ids):
    """Yield the Holders of anything on these providers, by id, with all that they hold anywhere.

    Cost: two queries for each chunk of consumers; more if MySQL cuts a text.
    """
    if not provider_ids:
        return iter(())
    there = sa.select(_allocations.c.consumer_id).where(
        is_one_of(_allocations.c.resource_provider_id, provider_ids)
    )
    return _read(conn, [_consumers.c.uuid.in_(there)])


def owners(conn, consumer_ids):
    """Return {id: KnownConsumer} of consumers. Cost: one query for each chunk."""
    query = consumer_owners.joined(
        sa.select(
            _consumers.c.id,
            _consumers.c.uuid,
            _consumers.c.generation,
            consumer_owners.PROJECT,
            consumer_owners.USER,
            consumer_owners.TYPE,
        )
    )
    return {
        consumer_id: KnownConsumer(*owner)
        for chunk in chunks(consumer_ids)
        for consumer_id, *owner in conn.execute(
            query.where(is_one_of(_consumers.c.id, chunk)), execution_options=many_shapes.OWN_CACHE
        )
    }


def _read(conn, conditions):
    """Yield the Holders of the consumers that meet the conditions, batch by batch."""
    after = 0
    # {pairs (class_id, amount) of a consumer on a provider: the same pairs}, for all batches.
    amounts = {}
    while (last := _last_of_batch(conn, conditions, after)) is not None:
        yield from _holders(_rows(conn, conditions, after, last), amounts)
        after = last


def _last_of_batch(conn, conditions, after):
    """Return the highest id in the next batch; None if no consumer is left."""
    ids = sa.select(_consumers.c.id).where(_consumers.c.id > after, *conditions)
    batch = ids.order_by(_consumers.c.id).limit(_BATCH).subquery("batch")
    return conn.scalar(
        sa.select(sa.func.max(batch.c.id)), execution_options=many_shapes.OWN_CACHE
    )


def _rows(conn, conditions, after, last):
    """Return [(consumer id, provider_id, class_id, amount)], sorted.

    These are all allocations of those consumers that meet the conditions and whose ids are above
    `after`, up to `last`.
    """
    query = (
        sa.select(
            packed_rows.of_all_rows(
                _consumers.c.id,
                _allocations.c.resource_provider_id,
                _allocations.c.resource_class_id,
                _allocations.c.used,
            )
        )
        .select_from(_consumers)
        .join(_allocations, _allocations.c.consumer_id == _consumers.c.uuid)
        .where(_consumers.c.id > after, _consumers.c.id <= last, *conditions)
    )
    text = conn.scalar(query, execution_options=many_shapes.OWN_CACHE)
    try:
        numbers = iter(packed_rows.numbers_of(packed_rows.whole(text)))
    except outages.CutText:
        if last - after < 2:
            raise
        # MySQL has cut the text because it was too long. The rows of one consumer stay together.
        middle = (after + last) // 2
        return _rows(conn, conditions, after, middle) + _rows(conn, conditions, middle, last)
    # Four consecutive numbers belong to one allocation.
    return sorted(zip(numbers, numbers, numbers, numbers, strict=True))


def _holders(rows, amounts):
    """Yield the Holders of sorted rows (consumer id, provider_id, class_id, amount).

    To save memory, equal tuples of pairs (class_id, amount) are one object, which `amounts` has
    as both key and value.
    """
    for consumer_id, of_consumer in itertools.groupby(rows, lambda row: row[0]):
        by_provider = collections.defaultdict(list)
        for _, provider_id, class_id, amount in of_consumer:
            by_provider[provider_id].append((class_id, amount))
        held = [
            HeldOnProvider(provider_id, amounts.setdefault(pairs, pairs))
            for provider_id, pairs in zip(
                by_provider, map(tuple, by_provider.values()), strict=True
            )
        ]
        yield Holder(consumer_id, tuple(held))
