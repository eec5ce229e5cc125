"""Write claims, each of which replaces all allocations of its consumer.

A write is one transaction. First it changes the consumers, which locks them. Then it reads what
they held. It adds the difference to the usage of the inventories, with statements that refuse what
does not fit.
Source: doc/explanation/rules.rst, W1 to W5.
"""

import collections
import contextlib
import math

from oslo_db import exception as db_exc

from placement import exception
from placement.db import allocations as db_allocations
from placement.db import consumers as db_consumers
from placement.db import generations, names_and_ids, remembered_names, taking_capacity
from placement.db.derived_sums import recount
from placement.db.remembered_names import Presumed
from placement.objects import resource_class
from placement.objects.claims import consumers, refusal
from placement.objects.claims.resolution import find_providers, presumed_names, writer_for
from placement.objects.feed import recording
from placement.objects.retry_requests import FasterWrite, retry_because


def replace_allocations(database, claims):
    """Replace what each consumer has with its ConsumerClaim. All claims are met, or none is.

    The first attempt uses the names that this process remembers. If these prove wrong, the next
    attempt looks them up in the database.
    Raises: RequestTooLarge, ConsumerGenerationConflict, UnknownProviderInAllocation,
        UnknownResourceClass, InventoryLacking, UnitsViolated, CapacityExceeded,
        AllocationsChanged.
    Cost: four statements for a new consumer, six for an existing one, and at most seven for several
        consumers of one owner; more for each further chunk of consumers, providers or
        inventories.
        One more looks up providers that are not remembered. If other names are not remembered, add
        the statements of resolution.writer_for; the first four of the errors above are then raised
        without any other statements. If changes are recorded, add one for new consumers and two for
        existing ones.
    """
    if (presumed := presumed_names(database, claims)) is not None:
        # A RetryRequest means that these names were wrong.
        with contextlib.suppress(db_exc.RetryRequest), database.writer() as conn:
            find_providers(database, conn, claims, presumed)
            _replace(conn, claims, presumed)
            return
        database.caches.names.forget(presumed)
    with writer_for(database, claims) as (conn, names):
        consumers.check_generations(claims, names)
        check_providers(claims, names)
        check_classes(claims, names)
        _replace(conn, claims, names)


def _replace(conn, claims, names):
    """Save the consumers of claims, then their allocations. Raises: what both raise."""
    before = consumers.save(conn, claims, names)
    write(conn, claims, names, before)


def check_providers(claims, names):
    """Raises: UnknownProviderInAllocation, for the first provider that does not exist."""
    for claim in claims:
        for provider_uuid in claim.allocations:
            if provider_uuid not in names.providers:
                raise exception.UnknownProviderInAllocation(uuid=provider_uuid)


def check_classes(claims, names):
    """Raises: UnknownResourceClass, for the first class that does not exist."""
    for claim in claims:
        for amounts in claim.allocations.values():
            resource_class.check_known(amounts, names.resource_classes)


def write(conn, claims, names, before):
    """Replace the allocations of saved consumers. Providers and classes must have been checked.

    names: the Names of everything in the claims
    before: the ConsumersBefore that consumers.save returned
    Raises: InventoryLacking, UnitsViolated, CapacityExceeded, AllocationsChanged.
    """
    wanted = list(_rows(claims, names))
    held = db_allocations.held_by(conn, names.consumers.keys())
    _check_presumed_consumers(held, names)
    _advance_providers(conn, claims, wanted, held, names)
    _change_usage(conn, wanted, held, names)
    _delete(conn, held)
    db_allocations.insert(conn, wanted)
    if recording.is_on():
        _record(conn, claims, names, held, before)


def _record(conn, claims, names, held, before):
    """Add the change of each consumer to the feed; the arguments are those of `write`."""
    held_by = recording.rows_by_consumer(held)
    for claim in claims:
        uuid = claim.consumer_uuid
        rows, consumer = held_by.get(uuid, ()), before.states.get(uuid)
        # The providers that _advance_providers has advanced for this consumer.
        advanced = [names.providers[each] for each in claim.allocations]
        recording.allocations(
            conn,
            uuid,
            recording.held_state(consumer, rows),
            recording.claimed_state(claim, consumer, before.moment),
            advanced or [row.provider_id for row in rows],
        )


def _rows(claims, names):
    """Yield the AllocationRows that the claims want, in the order of the request."""
    for claim in claims:
        for provider_uuid, amounts in claim.allocations.items():
            for class_name, amount in amounts.items():
                yield db_allocations.AllocationRow(
                    claim.consumer_uuid,
                    names.providers[provider_uuid],
                    names.resource_classes[class_name],
                    amount,
                )


def _check_presumed_consumers(held, names):
    """Raises: a RetryRequest when it is not certain that a consumer has the exact uuid.

    MySQL may find a consumer whose uuid differs in case. If a consumer has no allocations, this
    cannot be told, and it may be a leftover.
    """
    if isinstance(names, Presumed) and names.consumers.keys() - {row.consumer_uuid for row in held}:
        raise retry_because(FasterWrite.CONSUMER_CHANGED)


def _advance_providers(conn, claims, wanted, held, names):
    """Advance the providers that claims take from, and those that an empty claim gives back to.

    A provider keeps its generation if a consumer merely leaves it for other providers.
    Raises: RetryRequest, if another writer has deleted one of them.
    """
    emptied = {claim.consumer_uuid for claim in claims if not claim.allocations}
    # Pairs for advance_all. A provider that no claim names has None as its uuid: it is not checked.
    named = {(provider_id, uuid) for uuid, provider_id in names.providers.items()}
    left = {row.provider_id for row in held if row.consumer_uuid in emptied}
    left -= set(names.providers.values())
    touched = named | {(provider_id, None) for provider_id in left}
    if touched and generations.advance_all(conn, touched) != len(touched):
        raise retry_because(FasterWrite.PROVIDER_DELETED)


def _change_usage(conn, wanted, held, names):
    """Change the used amounts of inventories from `held` to `wanted`, which are AllocationRows.

    Raises: InventoryLacking, UnitsViolated, CapacityExceeded, or a RetryRequest.
    """
    changes = changes_between(held, wanted)
    # The statement that applies the changes also proves the first part of the names.
    proof, *more_proofs = remembered_names.proofs_of(names)
    _check_proofs(conn, more_proofs)
    if taking_capacity.apply(conn, changes, proof):
        return
    # What was refused: the names, or the changes?
    _check_proofs(conn, [proof])
    rooms = taking_capacity.rooms(conn, [(row.provider_id, row.class_id) for row in wanted])
    providers = names_and_ids.of_providers(conn, {row.provider_id for row in wanted})
    class_names = {class_id: name for name, class_id in names.resource_classes.items()}
    refusal.explain(wanted, held, rooms, providers, class_names)
    # Either an inventory has just changed, or its usage was counted wrong.
    recount.of_providers(conn, {change.provider_id for change in changes})
    if taking_capacity.apply(conn, changes, proof):
        return
    raise retry_because(FasterWrite.INVENTORY_CHANGED)


def _check_proofs(conn, proofs):
    """Raises: a RetryRequest if a name has another key by now."""
    if not all(remembered_names.is_true(conn, proof) for proof in proofs):
        raise retry_because(FasterWrite.NAME_CHANGED)


def changes_between(held, wanted):
    """Return the Changes from `held` to `wanted` AllocationRows, sorted by provider and class."""
    differences = collections.Counter()
    amounts = collections.defaultdict(list)
    for row in wanted:
        differences[row.provider_id, row.class_id] += row.amount
        amounts[row.provider_id, row.class_id].append(row.amount)
    for row in held:
        differences[row.provider_id, row.class_id] -= row.amount
    return [
        taking_capacity.Change(
            *key,
            difference=differences[key],
            smallest=min(amounts[key], default=0),
            largest=max(amounts[key], default=0),
            divisor=math.gcd(*amounts[key]),
        )
        for key in sorted(differences)
    ]


def delete_allocations(conn, uuid, generation=None):
    """Give back everything that a consumer has, and remove the consumer, if it is at `generation`.

    A generation of None matches any.
    Raises: NoAllocations.
    Cost: four statements, one more if changes are recorded, and one more on MySQL.
    """
    # If the consumer has no row, nothing is locked, and others might delete what would be read.
    consumer = db_consumers.delete_one(conn, uuid, generation)
    held = consumer and db_allocations.held_by(conn, {uuid})
    if not held:
        raise exception.NoAllocations(uuid=uuid)
    taking_capacity.apply(conn, changes_between(held, []))
    _delete(conn, held)
    recording.allocations(
        conn, uuid, before=recording.held_state(consumer, held), after=None, provider_ids=()
    )


def _delete(conn, held):
    """Delete the AllocationRows `held`, which have been given back.

    Raises: a RetryRequest when the consumer has more by now, written by another Placement.
    """
    if db_allocations.delete(conn, {row.consumer_uuid for row in held}) != len(held):
        raise retry_because(FasterWrite.ALLOCATIONS_CHANGED)
