"""Resource providers."""

from placement import exception, schemas
from placement.handlers import resource_provider
from placement.microversion import Since, version_flags
from placement.openapi import refusals
from placement.openapi.operations.declaration import Answer, Operation, nothing, shows
from placement.queries import provider_query

_shown = shows(schemas.resource_provider.shown, version_flags.resource_provider)


def _created(since):
    if not version_flags.created_provider(since)["with_provider"]:
        return {201: Answer(has_location=True)}
    return {200: _shown(since)[200]._replace(has_location=True)}


OPERATIONS = {
    resource_provider.list_all: Operation(
        "list_resource_providers",
        "The providers that pass all filters of the query.",
        shows(schemas.resource_provider.listed, version_flags.resource_provider),
        query=provider_query.validator,
        refusals=refusals.of(
            exception.BadQuery, exception.UnknownTraits, exception.UnknownResourceClass
        ),
    ),
    resource_provider.create: Operation(
        "create_resource_provider",
        "Add a root provider, or a child of an existing one.",
        _created,
        f"201 with Location and no body; since {Since.CREATE_RETURNS_PROVIDER.number}, 200 with "
        "the provider.",
        body=resource_provider.create_body,
        refusals=refusals.of(
            exception.ProviderNameRequired,
            exception.InvalidProviderTree,
            exception.DuplicateProvider,
        ),
    ),
    resource_provider.show: Operation(
        "show_resource_provider",
        "One provider.",
        _shown,
        refusals=refusals.of(exception.ResourceProviderNotFound),
    ),
    resource_provider.update: Operation(
        "update_resource_provider",
        "Rename a provider, or move it with everything below it.",
        _shown,
        "Without a parent in the body, the provider stays where it is. Before "
        f"{Since.REPARENTING.number}, only a root can be given a parent.",
        body=resource_provider.update_body,
        refusals=refusals.of(
            exception.ResourceProviderNotFound,
            exception.InvalidProviderTree,
            exception.DuplicateProvider,
        ),
    ),
    resource_provider.delete: Operation(
        "delete_resource_provider",
        "Remove a provider, with its inventories, aggregates and traits.",
        nothing,
        refusals=refusals.of(
            exception.ResourceProviderNotFound,
            exception.CannotDeleteParent,
            exception.ProviderInUse,
        ),
    ),
}
