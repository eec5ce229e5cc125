"""The reshaper."""

from placement import exception
from placement.handlers import reshaper
from placement.openapi import refusals
from placement.openapi.operations.allocation import CLAIM_REFUSALS
from placement.openapi.operations.declaration import Operation, nothing

OPERATIONS = {
    reshaper.move: Operation(
        "reshape",
        "Move inventories and allocations between providers in one step.",
        nothing,
        "The body has everything that each of the named providers is to have, and everything "
        "that each of the named consumers is to take. Either all of it is stored, or nothing.",
        body=reshaper.move_body,
        refusals=[
            *refusals.of(
                exception.RequestTooLarge,
                exception.UnknownProviderInReshape,
                exception.ReshapeGenerationConflict,
            ),
            *CLAIM_REFUSALS,
            *refusals.of(exception.InventoryInUse, exception.ConcurrentUpdate),
        ],
    ),
}
