"""Usages."""

from placement import exception, schemas
from placement.handlers import usage
from placement.microversion import Since, version_flags
from placement.openapi import refusals
from placement.openapi.operations.declaration import Operation, shows

OPERATIONS = {
    usage.of_provider: Operation(
        "show_provider_usages",
        "How much of each inventory is used.",
        shows(schemas.usage.of_provider),
        refusals=refusals.of(exception.ResourceProviderNotFound),
    ),
    usage.of_project: Operation(
        "show_project_usages",
        "What the consumers of a project use, or those of one user in it.",
        shows(schemas.usage.of_project, version_flags.usages_of_project),
        f"Used amounts by class; since {Since.CONSUMER_TYPES.number}, by consumer type and "
        "class, with the number of consumers.",
        query=usage.of_project_query,
    ),
}
