"""Allocations."""

from placement import exception, schemas
from placement.handlers import allocation
from placement.microversion import version_flags
from placement.openapi import refusals
from placement.openapi.operations.declaration import Operation, nothing, shows

# Why a claim may fail.
CLAIM_REFUSALS = refusals.of(
    exception.ConsumerGenerationConflict,
    exception.UnknownProviderInAllocation,
    exception.UnknownResourceClass,
    exception.InventoryLacking,
    exception.UnitsViolated,
    exception.CapacityExceeded,
    exception.AllocationsChanged,
)

OPERATIONS = {
    allocation.list_of_provider: Operation(
        "list_provider_allocations",
        "The allocations from a provider, by consumer.",
        shows(schemas.allocation.on_provider, version_flags.allocations_on_provider),
        refusals=refusals.of(exception.ResourceProviderNotFound),
    ),
    allocation.replace_many: Operation(
        "replace_allocations_of_many",
        "Replace all allocations of several consumers in one step.",
        nothing,
        "Either everything is stored, or nothing.",
        body=allocation.replace_many_body,
        refusals=refusals.of(exception.RequestTooLarge) + CLAIM_REFUSALS,
    ),
    allocation.list_of_consumer: Operation(
        "list_allocations",
        "The allocations of a consumer.",
        shows(schemas.allocation.of_consumer, version_flags.allocations_of_consumer),
        "An unknown consumer has no allocations; that is not an error.",
    ),
    allocation.replace: Operation(
        "replace_allocations",
        "Replace all allocations of a consumer.",
        nothing,
        "The claim is stored as a whole or not at all.",
        body=allocation.replace_body,
        refusals=(
            refusals.of(exception.MalformedConsumer, exception.RequestTooLarge) + CLAIM_REFUSALS
        ),
    ),
    allocation.delete: Operation(
        "delete_allocations",
        "Remove all allocations of a consumer, whatever its generation.",
        nothing,
        refusals=refusals.of(exception.NoAllocations),
    ),
}
