"""What each handler takes, and what it answers when it succeeds."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from placement import errors, schemas
from placement.handlers import (
    aggregate,
    allocation,
    allocation_candidate,
    inventory,
    reshaper,
    resource_class,
    resource_provider,
    root,
    trait,
    usage,
)
from placement.handlers.operator import audit, capacity, explanation, fit, providers, service
from placement.microversion import version_flags
from placement.openapi.prose import Refusal
from placement.queries import (
    candidate_query,
    explanation_query,
    fit_query,
    provider_query,
)
from placement.schemas import parts
from placement.web import description


class Answer(NamedTuple):
    """A successful response: its body, if `schema` is not None, and which headers it has.

    `is_dated` is for Last-Modified and Cache-Control, where the version has them; `is_tagged` for
    ETag and Cache-Control; `is_revalidated` for Cache-Control alone. `has_lines` says that
    a client may have it as lines, too.
    """

    schema: dict | None = None
    has_location: bool = False
    is_dated: bool = False
    is_tagged: bool = False
    is_revalidated: bool = False
    has_lines: bool = False


class Operation(NamedTuple):
    """What an operation is called, takes and answers.

    name         the operationId, which generated clients call their function by

    Functions of `since`, which says whether a version has a behaviour:

    answers      {status: Answer}
    body, query  the validator of what is sent; None if nothing is

    `path` has the schemas of variables of the path that do not accept every text; `refusals` are
    those that the docstring of the handler does not name, as they are not exceptions.
    """

    name: str
    answers: Callable
    body: Callable | None = None
    query: Callable | None = None
    path: Mapping | None = None
    refusals: tuple[Refusal, ...] = ()


def is_available(handler, since):
    """Does the version have it?"""
    behaviour = getattr(handler, "since", None)
    return behaviour is None or since(behaviour)


def variant(handler, since):
    """Return the handler that does the work of another in this version."""
    return _VARIANTS[handler](since) if handler in _VARIANTS else handler


def subject_of(handler):
    """Return the name of the resource that it is about."""
    return handler.__module__.rpartition(".")[2]


_VARIANTS = {resource_class.update: resource_class.updating}


def _constantly(value):
    return lambda since: value


_same_in_all_versions = _constantly({})


def _shows(schema, form=_same_in_all_versions):
    """A 200, dated, of the schema that the flags of `form` (of forms.py) make in a version."""
    return lambda since: {200: Answer(schema(**form(since)).schema, is_dated=True)}


def _reports(schema):
    """A 200 of a schema that is the same in all versions, and true at the moment only."""
    return _constantly({200: Answer(schema.schema, is_revalidated=True)})


_nothing = _constantly({204: Answer()})
_shows_provider = _shows(schemas.resource_provider.shown, version_flags.resource_provider)
_shows_aggregates = _shows(schemas.aggregate.listed, version_flags.aggregates)


def _provider_created(since):
    if not version_flags.created_provider(since)["with_provider"]:
        return {201: Answer(has_location=True)}
    return {200: _shows_provider(since)[200]._replace(has_location=True)}


def _inventory_created(since):
    return {201: Answer(schemas.inventory.shown().schema, has_location=True, is_dated=True)}


_class_ensured = _constantly({201: Answer(has_location=True), 204: Answer(has_location=True)})
_trait_ensured = _constantly(
    {
        201: Answer(has_location=True, is_dated=True),
        204: Answer(has_location=True, is_dated=True),
    }
)

_no_custom_name = Refusal(
    400,
    (errors.UNDEFINED,),
    "JSON does not validate: '<name>' does not match '{pattern}', or it is longer than "
    "{maxLength} characters.".format(**parts.CUSTOM_NAME),
)

OPERATIONS = {
    root.home: Operation("list_versions", _shows(schemas.version.listed)),
    resource_class.list_all: Operation(
        "list_resource_classes", _shows(schemas.resource_class.listed)
    ),
    resource_class.create: Operation(
        "create_resource_class",
        _constantly({201: Answer(has_location=True)}),
        body=_constantly(schemas.resource_class.custom()),
    ),
    resource_class.show: Operation("show_resource_class", _shows(schemas.resource_class.shown)),
    resource_class.rename: Operation(
        "rename_resource_class",
        _constantly({200: Answer(schemas.resource_class.shown().schema)}),
        body=_constantly(schemas.resource_class.custom()),
    ),
    resource_class.ensure: Operation(
        "ensure_resource_class",
        _class_ensured,
        path={"name": parts.CUSTOM_NAME},
        refusals=(_no_custom_name,),
    ),
    resource_class.delete: Operation("delete_resource_class", _nothing),
    resource_provider.list_all: Operation(
        "list_resource_providers",
        _shows(schemas.resource_provider.listed, version_flags.resource_provider),
        query=provider_query.accepted,
    ),
    resource_provider.create: Operation(
        "create_resource_provider", _provider_created, body=resource_provider.create_body
    ),
    resource_provider.show: Operation("show_resource_provider", _shows_provider),
    resource_provider.update: Operation(
        "update_resource_provider", _shows_provider, body=resource_provider.update_body
    ),
    resource_provider.delete: Operation("delete_resource_provider", _nothing),
    inventory.list_all: Operation("list_inventories", _shows(schemas.inventory.listed)),
    inventory.create: Operation(
        "create_inventory", _inventory_created, body=_constantly(schemas.inventory.create())
    ),
    inventory.replace_all: Operation(
        "replace_inventories",
        _shows(schemas.inventory.listed),
        body=_constantly(schemas.inventory.replace_all()),
    ),
    inventory.delete_all: Operation("delete_inventories", _nothing),
    inventory.show: Operation("show_inventory", _shows(schemas.inventory.shown)),
    inventory.replace: Operation(
        "replace_inventory",
        _shows(schemas.inventory.shown),
        body=_constantly(schemas.inventory.replace()),
    ),
    inventory.delete: Operation("delete_inventory", _nothing),
    usage.of_provider: Operation("show_provider_usages", _shows(schemas.usage.of_provider)),
    aggregate.list_all: Operation("list_provider_aggregates", _shows_aggregates),
    aggregate.replace: Operation(
        "replace_provider_aggregates", _shows_aggregates, body=aggregate.replace_body
    ),
    allocation.list_of_provider: Operation(
        "list_provider_allocations",
        _shows(schemas.allocation.on_provider, version_flags.allocations_on_provider),
    ),
    trait.list_of_provider: Operation("list_provider_traits", _shows(schemas.trait.of_provider)),
    trait.replace_of_provider: Operation(
        "replace_provider_traits",
        _shows(schemas.trait.of_provider),
        body=_constantly(schemas.trait.replace()),
    ),
    trait.delete_of_provider: Operation("delete_provider_traits", _nothing),
    allocation.replace_many: Operation(
        "replace_allocations_of_many", _nothing, body=allocation.replace_many_body
    ),
    allocation.list_of_consumer: Operation(
        "list_allocations",
        _shows(schemas.allocation.of_consumer, version_flags.allocations_of_consumer),
    ),
    allocation.replace: Operation("replace_allocations", _nothing, body=allocation.replace_body),
    allocation.delete: Operation("delete_allocations", _nothing),
    allocation_candidate.list_all: Operation(
        "list_allocation_candidates",
        _shows(schemas.allocation_candidate.found, version_flags.candidates),
        query=candidate_query.accepted,
    ),
    reshaper.move: Operation("reshape", _nothing, body=reshaper.move_body),
    trait.list_all: Operation(
        "list_traits", _shows(schemas.trait.listed), query=_constantly(schemas.trait.list_query())
    ),
    trait.show: Operation("show_trait", _constantly({204: Answer(is_dated=True)})),
    trait.ensure: Operation("ensure_trait", _trait_ensured, path={"name": parts.CUSTOM_NAME}),
    trait.delete: Operation("delete_trait", _nothing),
    usage.of_project: Operation(
        "show_project_usages",
        _shows(schemas.usage.of_project, version_flags.usages_of_project),
        query=usage.of_project_query,
    ),
    explanation.show: Operation(
        "explain_candidates",
        _reports(schemas.explanation.shown()),
        query=explanation_query.accepted,
    ),
    fit.show: Operation("count_fits", _reports(schemas.fit.shown()), query=fit_query.accepted),
    providers.list_all: Operation(
        "list_whole_providers",
        _constantly(
            {
                200: Answer(
                    schemas.whole_provider.listed().schema, is_tagged=True, has_lines=True
                ),
                304: Answer(is_tagged=True),
            }
        ),
        query=providers.list_all_query,
    ),
    capacity.show: Operation(
        "show_capacity",
        _reports(schemas.capacity.shown()),
        query=_constantly(capacity.QUERY),
    ),
    audit.audit: Operation(
        "audit_ledger",
        _reports(schemas.audit.findings()),
        query=_constantly(audit.NO_QUERY),
    ),
    audit.repair: Operation(
        "repair_ledger",
        _reports(schemas.audit.repaired()),
        query=_constantly(audit.NO_QUERY),
        body=_constantly(audit.REPAIR_BODY),
    ),
    service.show: Operation(
        "show_service",
        _reports(schemas.service.shown()),
        query=_constantly(service.QUERY),
    ),
    description.show: Operation(
        "describe_api",
        _constantly(
            {
                200: Answer(schemas.description.shown().schema, is_tagged=True),
                304: Answer(is_tagged=True),
            }
        ),
        query=_constantly(description.QUERY),
    ),
}
