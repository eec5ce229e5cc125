"""Aggregates."""

from placement import exception, schemas
from placement.handlers import aggregate
from placement.microversion import version_flags
from placement.openapi import refusals
from placement.openapi.operations.declaration import Operation, shows

_shown = shows(schemas.aggregate.listed, version_flags.aggregates)

OPERATIONS = {
    aggregate.list_all: Operation(
        "list_provider_aggregates",
        "The aggregates that a provider is in.",
        _shown,
        refusals=refusals.of(exception.ResourceProviderNotFound),
    ),
    aggregate.replace: Operation(
        "replace_provider_aggregates",
        "Replace the aggregates that a provider is in.",
        _shown,
        "An aggregate exists as soon as it is named.",
        body=aggregate.replace_body,
        refusals=refusals.of(
            exception.ResourceProviderNotFound, exception.ProviderGenerationChanged
        ),
    ),
}
