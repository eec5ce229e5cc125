"""Allocations: what consumers have taken. The one way of writing them, and two of reading.

A write is one transaction: consumers are changed, which locks them, what they had is read,
and the difference is applied to the use of the inventories by statements that refuse what
does not fit.
Source: contract, candidates, "Allocation writes".
"""

import collections
import math

from oslo_db import exception as db_exc
from oslo_versionedobjects import fields

from placement import exception
from placement.db import allocations as db_allocations
from placement.db import claims as db_claims
from placement.db import consumers as db_consumers
from placement.db import names as db_names
from placement.db import resource_providers as db_providers
from placement.objects import base, owner, refusal
from placement.objects import consumer as consumers


@base.register
class Allocation(base.PlacementObject):
    """An amount of a class that one consumer takes from one provider."""

    VERSION = "1.0"

    fields = {
        "resource_provider_uuid": fields.StringField(),
        "resource_provider_generation": fields.IntegerField(),
        "resource_class": fields.StringField(),
        "used": fields.IntegerField(),
    }


@base.register
class ConsumerAllocations(base.PlacementObject):
    """All that a consumer has, and whose it is."""

    VERSION = "1.0"

    fields = {
        "consumer": fields.ObjectField("Consumer"),
        "allocations": fields.ListOfObjectsField("Allocation"),
    }


def of_consumer(conn, uuid):
    """Return the ConsumerAllocations of a consumer, or None if it has no allocations."""
    rows = db_allocations.of_consumer(conn, uuid)
    if not rows:
        return None
    first = rows[0]
    return ConsumerAllocations(
        consumer=consumers.Consumer(
            uuid=uuid,
            project_id=first.project_id,
            user_id=first.user_id,
            generation=first.consumer_generation,
            consumer_type=first.consumer_type or consumers.UNKNOWN_TYPE,
        ),
        allocations=[
            Allocation(
                resource_provider_uuid=row.provider_uuid,
                resource_provider_generation=row.provider_generation,
                resource_class=row.class_name,
                used=row.used,
                created_at=row.created_at,
            )
            for row in rows
        ],
    )


def on_provider(conn, provider):
    """Return the rows (AllocationOnProvider) of what is taken from a provider."""
    return db_allocations.on_provider(conn, provider.id)


def replace(conn, claims, added):
    """Make each ConsumerClaim all that its consumer has. All of them are met, or none.

    To be called by owner.write_for, which knows what `added` is.
    Raises: ConsumerGenerationConflict, UnknownProviderInAllocation, UnknownResourceClass,
        InventoryLacking, UnitsViolated, CapacityExceeded, AllocationsChanged, OwnersUnknown.
    Cost: five statements for a new consumer, seven for one that is known; at most nine for
        several of one owner; more for each further hundred of consumers or inventories.
    """
    write(conn, claims, prepare(conn, claims, added))


def prepare(conn, claims, added):
    """Save the consumers of `claims`, and return the Names of everything that claims mention.

    Raises: OwnersUnknown, ConsumerGenerationConflict, UnknownProviderInAllocation,
        AllocationsChanged.
    """
    names = _resolve(conn, claims, added)
    consumers.save(conn, claims, names)
    for claim in claims:
        for provider_uuid in claim.allocations:
            if provider_uuid not in names.providers:
                raise exception.UnknownProviderInAllocation(uuid=provider_uuid)
    return names


def _resolve(conn, claims, added):
    resources = [each for claim in claims for each in claim.allocations.items()]
    names = db_names.resolve(
        conn,
        providers={provider_uuid for provider_uuid, _ in resources},
        resource_classes={name for _, amounts in resources for name in amounts},
        consumers={claim.consumer_uuid for claim in claims},
        **owner.of_claims(claims),
    )
    return owner.with_added(names, added, claims)


def write(conn, claims, names):
    """Replace the allocations of the consumers of prepared claims.

    Raises: UnknownResourceClass, InventoryLacking, UnitsViolated, CapacityExceeded,
        AllocationsChanged.
    """
    wanted = list(_in_keys(claims, names))
    present = db_allocations.taken_by(conn, names.consumers.keys())
    _advance_providers(conn, claims, wanted, present)
    _take(conn, wanted, present, names)
    db_allocations.delete(conn, {each.consumer_uuid for each in present})
    db_allocations.insert(conn, wanted)


def _in_keys(claims, names):
    """Yield what the claims want as Taken, in the order of the request.

    Raises: UnknownResourceClass.
    """
    for claim in claims:
        for provider_uuid, amounts in claim.allocations.items():
            for class_name, amount in amounts.items():
                if class_name not in names.resource_classes:
                    raise exception.UnknownResourceClass(name=class_name)
                yield db_allocations.Taken(
                    claim.consumer_uuid,
                    names.providers[provider_uuid],
                    names.resource_classes[class_name],
                    amount,
                )


def _advance_providers(conn, claims, wanted, present):
    """Advance the providers that are taken from, and those that an empty claim gives back to.

    A provider that a consumer merely leaves for others keeps its generation.
    """
    emptied = {claim.consumer_uuid for claim in claims if not claim.allocations}
    touched = {each.provider_id for each in wanted} | {
        each.provider_id for each in present if each.consumer_uuid in emptied
    }
    if touched and db_providers.advance_generations(conn, touched) != len(touched):
        raise db_exc.RetryRequest(exception.AllocationsChanged(reason="a provider was deleted"))


def _take(conn, wanted, present, names):
    """Raises: InventoryLacking, UnitsViolated, CapacityExceeded, or a RetryRequest."""
    changes = changes_between(present, wanted)
    if db_claims.apply(conn, changes):
        return
    rooms = db_claims.rooms(conn, [(each.provider_id, each.class_id) for each in wanted])
    refusal.explain(wanted, present, rooms, names)
    raise db_exc.RetryRequest(exception.AllocationsChanged(reason="an inventory was changed"))


def changes_between(present, wanted):
    """Return the Changes that lead from what is Taken to what shall be, in order of inventory."""
    deltas = collections.Counter()
    amounts = collections.defaultdict(list)
    for each in wanted:
        deltas[each.provider_id, each.class_id] += each.amount
        amounts[each.provider_id, each.class_id].append(each.amount)
    for each in present:
        deltas[each.provider_id, each.class_id] -= each.amount
    return [
        db_claims.Change(
            *key,
            delta=deltas[key],
            smallest=min(amounts[key], default=0),
            largest=max(amounts[key], default=0),
            divisor=math.gcd(*amounts[key]),
        )
        for key in sorted(deltas)
    ]


def delete_of_consumer(conn, uuid):
    """Give back all that a consumer has; the consumer is no more.

    Raises: NoAllocations.
    Cost: four statements.
    """
    # Without a consumer to lock, others may give back what we are looking at.
    if not db_consumers.delete(conn, {uuid: None}):
        raise exception.NoAllocations(uuid=uuid)
    present = db_allocations.taken_by(conn, {uuid})
    if not present:
        raise exception.NoAllocations(uuid=uuid)
    db_claims.apply(conn, changes_between(present, []))
    db_allocations.delete(conn, {uuid})
