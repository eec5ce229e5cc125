"""Traits."""

from placement import exception, schemas
from placement.handlers import trait
from placement.openapi import refusals
from placement.openapi.operations.declaration import (
    Answer,
    Operation,
    constantly,
    nothing,
    shows,
)
from placement.schemas import common

_ensured = Answer(has_location=True, is_dated=True)

OPERATIONS = {
    trait.list_of_provider: Operation(
        "list_provider_traits",
        "The traits of a provider.",
        shows(schemas.trait.of_provider),
        refusals=refusals.of(exception.ResourceProviderNotFound),
    ),
    trait.replace_of_provider: Operation(
        "replace_provider_traits",
        "Replace the traits of a provider.",
        shows(schemas.trait.of_provider),
        body=constantly(schemas.trait.replace()),
        refusals=refusals.of(
            exception.ResourceProviderNotFound,
            exception.ProviderGenerationChanged,
            exception.UnknownTraitsInBody,
        ),
    ),
    trait.delete_of_provider: Operation(
        "delete_provider_traits",
        "Remove all traits of a provider.",
        nothing,
        refusals=refusals.of(exception.ResourceProviderNotFound),
    ),
    trait.list_all: Operation(
        "list_traits",
        "The traits that pass the filters of the query.",
        shows(schemas.trait.listed),
        query=constantly(schemas.trait.list_query()),
        refusals=refusals.of(exception.BadQuery),
    ),
    trait.show: Operation(
        "show_trait",
        "Check that a trait exists.",
        constantly({204: Answer(is_dated=True)}),
        refusals=refusals.of(exception.TraitNotFound),
    ),
    trait.ensure: Operation(
        "ensure_trait",
        "Add a custom trait, if it does not exist.",
        constantly({201: _ensured, 204: _ensured}),
        "201 for a new trait, 204 for an existing one, both with Location. A body is ignored.",
        path={"name": common.CUSTOM_NAME},
        refusals=refusals.of(exception.InvalidTraitName),
    ),
    trait.delete: Operation(
        "delete_trait",
        "Remove a custom trait that no provider has.",
        nothing,
        refusals=refusals.of(
            exception.TraitNotFound, exception.StandardTrait, exception.TraitInUse
        ),
    ),
}
