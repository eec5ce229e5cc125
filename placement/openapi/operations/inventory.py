"""Inventories."""

from placement import errors, exception, schemas
from placement.handlers import inventory
from placement.openapi import refusals
from placement.openapi.operations.declaration import (
    Answer,
    Operation,
    constantly,
    nothing,
    shows,
)


def _created(since):
    return {201: Answer(schemas.inventory.shown().schema, has_location=True, is_dated=True)}


OPERATIONS = {
    inventory.list_all: Operation(
        "list_inventories",
        "All inventories of a provider.",
        shows(schemas.inventory.listed),
        refusals=refusals.of(exception.ResourceProviderNotFound),
    ),
    inventory.create: Operation(
        "create_inventory",
        "Add the inventory of one class.",
        _created,
        "A generation is accepted and ignored.",
        body=constantly(schemas.inventory.create()),
        refusals=refusals.of(
            exception.ResourceProviderNotFound,
            exception.InvalidInventoryCapacity,
            exception.UnknownResourceClass,
            exception.InventoryExists,
        ),
    ),
    inventory.replace_all: Operation(
        "replace_inventories",
        "Replace all inventories of a provider.",
        shows(schemas.inventory.listed),
        body=constantly(schemas.inventory.replace_all()),
        refusals=refusals.of(
            exception.ResourceProviderNotFound,
            exception.ProviderGenerationConflict,
            exception.InvalidInventoryCapacity,
            exception.UnknownResourceClass,
            exception.InventoryInUse,
        ),
    ),
    inventory.delete_all: Operation(
        "delete_inventories",
        "Remove all inventories of a provider.",
        nothing,
        refusals=refusals.of(exception.ResourceProviderNotFound, exception.InventoryInUse),
    ),
    inventory.show: Operation(
        "show_inventory",
        "One inventory of a provider.",
        shows(schemas.inventory.shown),
        refusals=refusals.of(exception.ResourceProviderNotFound, exception.InventoryNotFound),
    ),
    inventory.replace: Operation(
        "replace_inventory",
        "Replace the inventory of one class.",
        shows(schemas.inventory.shown),
        body=constantly(schemas.inventory.replace()),
        refusals=refusals.of(
            exception.ResourceProviderNotFound,
            exception.ProviderGenerationConflict,
            exception.InvalidInventoryCapacity,
            exception.InventoryClassNotFound,
            exception.InventoryMissing,
        ),
    ),
    inventory.delete: Operation(
        "delete_inventory",
        "Remove one inventory.",
        nothing,
        refusals=[
            *refusals.of(exception.ResourceProviderNotFound, exception.InventoryNotFound),
            refusals.with_codes(exception.InventoryInUse, errors.CONCURRENT_UPDATE),
        ],
    ),
}
