"""Short ways to put providers and claims into a database, for tests of the data layer."""

import uuid

from placement.objects import allocation, inventory, resource_provider
from placement.objects.claim import UNCHECKED, ConsumerClaim


def provider(conn, name, totals=None, parent=None, **limits):
    """Create a provider with {class_name: total}; `limits` hold for all its inventories.

    `parent` is a ResourceProvider. Return the ResourceProvider.
    """
    created = resource_provider.create(
        conn,
        uuid=str(uuid.uuid4()),
        name=name,
        parent_uuid=parent.uuid if parent else None,
    )
    set_inventories(conn, created, totals or {}, **limits)
    return created


def set_inventories(conn, of_provider, totals, **limits):
    """Make {class_name: total} all that a provider has."""
    inventory.replace_all(
        conn,
        of_provider,
        [
            inventory.Inventory.from_request(class_name, {"total": total, **limits})
            for class_name, total in totals.items()
        ],
    )


def claim(allocations, *, consumer_uuid=None, generation=UNCHECKED, **owner):
    """Return a ConsumerClaim for {provider: {class_name: amount}}: of a new consumer, or of any."""
    if consumer_uuid is None:
        consumer_uuid = str(uuid.uuid4())
        generation = None if generation is UNCHECKED else generation
    return ConsumerClaim(
        consumer_uuid=consumer_uuid,
        generation=generation,
        allocations={each.uuid: amounts for each, amounts in allocations.items()},
        **{"project_id": "project", "user_id": "user", "consumer_type": "INSTANCE", **owner},
    )


def take(database, *claims):
    allocation.replace(database, claims)


def mistyped(uuid_text):
    """Return a UUID that differs in its last digit."""
    return uuid_text[:-1] + ("0" if uuid_text[-1] == "1" else "1")
