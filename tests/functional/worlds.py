"""Short ways to put providers and claims into a database, for tests of the data layer."""

import uuid

from placement.objects import aggregate, inventory, resource_provider, trait
from placement.objects.claims import writing
from placement.objects.claims.claim import UNCHECKED, ConsumerClaim


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
    """Replace the inventories of a provider with {class_name: total}."""
    wanted = [
        inventory.Inventory.from_request(class_name, {"total": total, **limits})
        for class_name, total in totals.items()
    ]
    found = inventory.read_for_replacement(conn, of_provider.uuid, wanted)
    inventory.replace_all(conn, _as_seen(of_provider, found), wanted)
    of_provider.generation = found.generation


def set_traits(conn, of_provider, names):
    """Replace the traits of a provider with `names`."""
    found = trait.read_for_replacement(conn, of_provider.uuid, names)
    trait.replace(conn, _as_seen(of_provider, found), names)
    of_provider.generation = found.generation


def set_aggregates(conn, of_provider, uuids, advance_generation=True):
    """Put a provider into exactly these aggregates."""
    found = aggregate.read_for_replacement(conn, of_provider.uuid, uuids)
    aggregate.replace(conn, _as_seen(of_provider, found), uuids, advance_generation)
    of_provider.generation = found.generation


def _as_seen(of_provider, found):
    """Return the provider as it is now, but with the generation that the caller has seen."""
    found.generation = of_provider.generation
    return found


def claim(allocations, *, consumer_uuid=None, generation=UNCHECKED, **owner):
    """Return a ConsumerClaim for {provider: {class_name: amount}}, by default of a new consumer."""
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
    writing.replace_allocations(database, claims)


def mistyped(uuid_text):
    """Return a UUID that differs in its last digit."""
    return uuid_text[:-1] + ("0" if uuid_text[-1] == "1" else "1")
