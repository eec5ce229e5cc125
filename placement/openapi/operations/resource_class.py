"""Resource classes."""

from placement import errors, exception, schemas
from placement.handlers import resource_class
from placement.openapi import refusals
from placement.openapi.operations.declaration import (
    Answer,
    Operation,
    constantly,
    nothing,
    shows,
)
from placement.schemas import common

_ensured = constantly({201: Answer(has_location=True), 204: Answer(has_location=True)})

_no_custom_name = refusals.Refusal(
    400,
    (errors.UNDEFINED,),
    "JSON does not validate: '<name>' does not match '{pattern}', or it is longer than "
    "{maxLength} characters.".format(**common.CUSTOM_NAME),
)

OPERATIONS = {
    resource_class.list_all: Operation(
        "list_resource_classes",
        "The standard classes, and the custom ones.",
        shows(schemas.resource_class.listed),
    ),
    resource_class.create: Operation(
        "create_resource_class",
        "Add a custom class.",
        constantly({201: Answer(has_location=True)}),
        body=constantly(schemas.resource_class.custom()),
        refusals=refusals.of(exception.ResourceClassExists),
    ),
    resource_class.show: Operation(
        "show_resource_class",
        "One resource class.",
        shows(schemas.resource_class.shown),
        refusals=refusals.of(exception.ResourceClassNotFound),
    ),
    resource_class.rename: Operation(
        "rename_resource_class",
        "Give a custom class another name.",
        constantly({200: Answer(schemas.resource_class.shown().schema)}),
        "Its inventories and allocations follow.",
        body=constantly(schemas.resource_class.custom()),
        refusals=refusals.of(
            exception.ResourceClassNotFound,
            exception.StandardResourceClass,
            exception.ResourceClassNameTaken,
        ),
    ),
    resource_class.ensure: Operation(
        "ensure_resource_class",
        "Add a custom class, if it does not exist.",
        _ensured,
        "201 for a new class, 204 for an existing one, both with Location. A body is ignored.",
        path={"name": common.CUSTOM_NAME},
        refusals=[_no_custom_name],
    ),
    resource_class.delete: Operation(
        "delete_resource_class",
        "Remove a custom class that has no inventories.",
        nothing,
        refusals=refusals.of(
            exception.ResourceClassNotFound,
            exception.StandardResourceClass,
            exception.ResourceClassInUse,
        ),
    ),
}
