"""What the writers in objects/ record in the feed, with names as in GET /operator/providers.

Each function takes the states before and after a write, read under the locks of its transaction.
provider() and aggregates() record nothing if nothing has changed; other writes always change
something. Cost: none; db.feed.recording stores what is recorded.
"""

import datetime

from placement.db import inventories as db_inventories
from placement.db.consumers import ConsumerState
from placement.db.feed import recording
from placement.db.feed.recording import ChangeKind, RecordedChange
from placement.objects.consumer import shown_owner

is_on = recording.is_on


def provider(conn, before, after):
    """Record that a provider was added, changed or deleted.

    `before` and `after` are ProviderRows or ResourceProviders; one of them may be None.
    """
    state_before, state_after = _provider_state(before), _provider_state(after)
    if state_before != state_after:
        either = after or before
        change = RecordedChange(
            ChangeKind.PROVIDER,
            either.uuid,
            either.name,
            before=state_before,
            after=state_after,
            provider_ids=frozenset() if after is None else frozenset([after.id]),
        )
        recording.add(conn, change)


def _provider_state(row):
    """Return the state of a ProviderRow or ResourceProvider; None for None."""
    if row is None:
        return None
    return {
        "name": row.name,
        "parent_provider_uuid": row.parent_provider_uuid,
        "root_provider_uuid": row.root_provider_uuid,
    }


def inventories(conn, provider, before, after):
    """Record the inventories of a provider; `before` and `after` are {class_name: state}."""
    _record_of_provider(conn, ChangeKind.INVENTORIES, provider, before, after)


def stocked_state(rows):
    """Return {class_name: state} of StockedClasses."""
    return {row.resource_class: _inventory_state(row, row.allocation_ratio) for row in rows}


def given_state(conn, inventories):
    """Return {class_name: state} of Inventories that are being written."""
    return {
        given.resource_class: _inventory_state(
            given, db_inventories.as_stored(conn, given.allocation_ratio)
        )
        for given in inventories
    }


def _inventory_state(inventory, ratio):
    """Return the state of an inventory; `ratio` is its allocation_ratio as stored."""
    return {
        "total": inventory.total,
        "reserved": inventory.reserved,
        "min_unit": inventory.min_unit,
        "max_unit": inventory.max_unit,
        "step_size": inventory.step_size,
        "allocation_ratio": ratio,
        "capacity": db_inventories.capacity_at(inventory.total, inventory.reserved, ratio),
    }


def traits(conn, provider, before, after):
    """Record the traits of a provider; `before` and `after` are {name: id}."""
    before, after = sorted_names(before), sorted_names(after)
    _record_of_provider(conn, ChangeKind.TRAITS, provider, before, after)


def aggregates(conn, provider, before, after, is_advanced):
    """Record the aggregates of a provider; `before` and `after` are {uuid: id}.

    is_advanced: whether its generation is advanced, which is a change in itself
    """
    before, after = sorted_names(before), sorted_names(after)
    if is_advanced or before != after:
        _record_of_provider(conn, ChangeKind.AGGREGATES, provider, before, after)


def sorted_names(ids):
    """Return the names in {name: id}, sorted by id.

    This is the state recorded for a provider's traits or aggregates.
    """
    return sorted(ids, key=ids.get)


def _record_of_provider(conn, kind, provider, before, after):
    """Record what a provider had, and what it has now, of this ChangeKind."""
    change = RecordedChange(
        kind,
        provider.uuid,
        provider.name,
        before=before,
        after=after,
        provider_ids=frozenset([provider.id]),
    )
    recording.add(conn, change)


def resource_class(conn, before, after):
    """Record that a class was added, renamed or deleted; `before` and `after` are names or None."""
    _record_of_name(conn, ChangeKind.RESOURCE_CLASS, before, after)


def trait(conn, before, after):
    """Record that a trait was added or deleted; `before` and `after` are its name or None."""
    _record_of_name(conn, ChangeKind.TRAIT, before, after)


def _record_of_name(conn, kind, before, after):
    """Record the name of a class or a trait before and after a write; None if it did not exist."""
    change = RecordedChange(
        kind,
        uuid=None,
        name=after or before,
        before=before and {"name": before},
        after=after and {"name": after},
    )
    recording.add(conn, change)


def allocations(conn, consumer_uuid, before, after, provider_ids):
    """Record what a consumer held and holds now, as `held_state` and `claimed_state` return it."""
    if before is not None or after is not None:
        kind, ids = ChangeKind.ALLOCATIONS, frozenset(provider_ids)
        change = RecordedChange(
            kind, consumer_uuid, name=None, before=before, after=after, provider_ids=ids
        )
        recording.add(conn, change)


def held_state(consumer, rows):
    """Return the state of a ConsumerState that holds StoredAllocations; None if it holds nothing.

    A consumer that holds nothing does not exist for readers.
    """
    held = {}
    for row in rows:
        if row.class_name is not None:
            held.setdefault(row.provider_uuid, {})[row.class_name] = row.amount
    if consumer is None or not held:
        return None
    return _allocations_state(held, consumer)


def seen_state(rows):
    """Return the state of a consumer that holds SeenAllocations; None if there are none."""
    held = {}
    for row in rows:
        held.setdefault(row.provider_uuid, {})[row.class_name] = row.amount
    if not held:
        return None
    # Each row has the columns of the consumer, too.
    return _allocations_state(held, rows[0])


def claimed_state(claim, before, moment):
    """Return the consumer's state after a ConsumerClaim; None if the consumer then holds nothing.

    `before` is the ConsumerState before it; None if the consumer is created at this `moment`.
    """
    if not claim.allocations:
        return None
    if before is None:
        generation, consumer_type = 1, claim.consumer_type
        created_at = datetime.datetime.fromisoformat(moment)
    else:
        generation = before.generation + 1
        consumer_type = claim.consumer_type or before.consumer_type
        created_at = before.created_at
    after = ConsumerState(
        uuid=claim.consumer_uuid,
        generation=generation,
        project_id=claim.project_id,
        user_id=claim.user_id,
        consumer_type=consumer_type,
        created_at=created_at,
    )
    return _allocations_state(claim.allocations, after)


def _allocations_state(held, owned):
    """Return the state of a consumer that holds {provider_uuid: {class_name: amount}}.

    owned: as for shown_owner
    """
    return {
        "allocations": {uuid: {"resources": amounts} for uuid, amounts in held.items()},
        **shown_owner(owned),
    }


def rows_by_consumer(rows):
    """Return {consumer_uuid: [StoredAllocation]}."""
    by_consumer = {}
    for row in rows:
        by_consumer.setdefault(row.consumer_uuid, []).append(row)
    return by_consumer
