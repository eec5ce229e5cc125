"""Reshapes: moving inventories and allocations together, all or nothing.

Source: doc/explanation/rules.rst, M1 to M4; the steps are those of M2.
"""

import itertools
from typing import NamedTuple

from placement import constants, exception
from placement.db import inventories as db_inventories
from placement.db import resource_providers as db_providers
from placement.objects import inventory, resource_provider
from placement.objects.claims import consumers, writing
from placement.objects.feed import recording
from placement.objects.inventory import Inventory


class GivenInventories(NamedTuple):
    """What a client gives for a provider: the generation that it knows, and the inventories.

    values_by_class  {class_name: values}, with the values that Inventory.from_request takes
    """

    generation: int
    values_by_class: dict[str, dict]


def check_size(inventories):
    """Raises: RequestTooLarge. `inventories` is what `reshape` takes."""
    count = sum(len(given.values_by_class) for given in inventories.values())
    if count > constants.MOST_IN_A_REQUEST:
        raise exception.RequestTooLarge(
            most=constants.MOST_IN_A_REQUEST, what="inventories", found=count
        )


def reshape(conn, inventories, claims, names):
    """Give providers their final inventories and consumers their final allocations.

    `inventories` is {provider_uuid: GivenInventories}; `claims` are ConsumerClaims; `conn` and
    `names` come from claims.resolution.writer_for for these claims.
    Raises: UnknownProviderInReshape, ReshapeGenerationConflict, what
        claims.writing.replace_allocations raises, InventoryInUse, ConcurrentUpdate.
    Cost: grows with the number of providers in `inventories`; if one does not exist, or has
        another generation, one statement for each chunk of names.
    """
    providers = _providers(conn, inventories)
    consumers.check_generations(claims, names)
    writing.check_providers(claims, names)
    before = consumers.save(conn, claims, names)
    class_ids = inventory.class_ids(
        conn,
        itertools.chain.from_iterable(given.values_by_class for given in inventories.values()),
    )
    writing.check_classes(claims, names)
    final = {
        providers[uuid]: [Inventory.from_request(*each) for each in given.values_by_class.items()]
        for uuid, given in inventories.items()
    }
    # Allocations move while both the old and the new inventories exist.
    for provider in sorted(final, key=lambda provider: provider.id):
        _make_interim(conn, provider, final[provider], class_ids)
    writing.write(conn, claims, names, before)
    for provider, given in final.items():
        _make_final(conn, provider, given)


def _providers(conn, inventories):
    """Return {uuid: ResourceProvider}, all at the generation that the client knows.

    Raises: UnknownProviderInReshape, ReshapeGenerationConflict.
    """
    rows = db_providers.find_all(conn, inventories)
    providers = {}
    for uuid, given in inventories.items():
        row = rows.get(uuid)
        if row is None:
            raise exception.UnknownProviderInReshape(uuid=uuid)
        provider = resource_provider.ResourceProvider.from_row(row)
        provider.check_generation(given.generation, exception.ReshapeGenerationConflict)
        providers[uuid] = provider
    return providers


def _make_interim(conn, provider, inventories, class_ids):
    """Give a provider the union of its old and new inventories.

    A provider with new inventories advances twice, as if by two updates.
    Raises: ConcurrentUpdate.
    """
    provider.advance_generation(conn, steps=2 if inventories else 1)
    present = db_inventories.stocked(conn, provider.id)
    # This is recorded before the claims, so that a program that follows the changes knows the
    # inventories before it gets the allocations.
    inventory.record(conn, provider, present, recording.given_state(conn, inventories))
    held_ids = {row.class_id for row in present}
    inventory.merge(conn, provider, inventories, class_ids, held_ids)


def _make_final(conn, provider, inventories):
    """Take away the classes that are not in `inventories`. Raises: InventoryInUse."""
    final = {each.resource_class for each in inventories}
    present = db_inventories.stocked(conn, provider.id)
    inventory.remove(conn, provider, [row for row in present if row.resource_class not in final])
