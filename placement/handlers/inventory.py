"""/resource_providers/{uuid}/inventories and /resource_providers/{uuid}/inventories/{class}.

Source: doc/reference/api/inventories.rst.
"""

import webob.exc

from placement import errors, exception, schemas
from placement.documents import resources
from placement.handlers.answering import caching, error_prefixes
from placement.handlers.answering.response import respond
from placement.handlers.requests import bodies
from placement.handlers.requests.preconditions import (
    answer_is_json,
    authorized,
    available_since,
    body_is_json,
)
from placement.microversion import Since
from placement.objects import inventory as inventories
from placement.objects import resource_provider as providers


@answer_is_json
@authorized("placement:resource_providers:inventories:list")
def list_all(req):
    """GET /resource_providers/{uuid}/inventories."""
    with req.single_statement() as conn:
        generation, rows = inventories.of_provider(conn, req.path_variable("uuid"))
    # `touched` is None in a row without dates.
    last = max((row.touched for row in rows if row.touched), default=None)
    body = resources.inventories(rows, generation)
    return respond(200, body, **caching.headers(req, last))


@body_is_json
@authorized("placement:resource_providers:inventories:create")
def create(req):
    """POST /resource_providers/{uuid}/inventories.

    Body: the values of the inventory, and {"resource_class": the name of its class}.
    """
    body = bodies.for_existing_provider(req, schemas.inventory.create())
    inventory = inventories.Inventory.from_request(body["resource_class"], body)
    with req.writer() as conn:
        provider = providers.get(conn, req.path_variable("uuid"))
        prefixes = {
            exception.InvalidValue: (
                f"Unable to create inventory for resource provider {provider.uuid}: "
            ),
            # This is a ConcurrentUpdate, too, but its sentence needs no prefix.
            exception.InventoryExists: "",
            exception.ConcurrentUpdate: "Update conflict: ",
        }
        with error_prefixes.prefix_errors(prefixes):
            _check_capacity(req, provider, [inventory])
            inventories.add(conn, provider, inventory)
    location = (
        f"{req.mount_prefix}/resource_providers/{provider.uuid}"
        f"/inventories/{inventory.resource_class}"
    )
    return respond(
        201,
        _with_generation(provider.generation, inventory, body),
        location=location,
        **caching.headers(req, caching.now()),
    )


@body_is_json
@authorized("placement:resource_providers:inventories:update")
def replace_all(req):
    """PUT /resource_providers/{uuid}/inventories.

    Body: {"resource_provider_generation": int, "inventories": {class: values}}.
    """
    body = bodies.for_existing_provider(req, schemas.inventory.replace_all())
    wanted = [
        inventories.Inventory.from_request(class_name, values)
        for class_name, values in body["inventories"].items()
    ]
    with req.writer() as conn:
        provider = inventories.read_for_replacement(conn, req.path_variable("uuid"), wanted)
        provider.check_generation(body["resource_provider_generation"])
        prefixes = {
            exception.InvalidInventoryCapacity: _unable_to_update(provider),
            exception.UnknownResourceClass: (
                f"Unknown resource class in inventory for resource provider {provider.uuid}: "
            ),
            exception.Conflict: error_prefixes.UPDATE_CONFLICT,
        }
        with error_prefixes.prefix_errors(prefixes):
            _check_capacity(req, provider, wanted)
            inventories.replace_all(conn, provider, wanted)
    return respond(
        200,
        resources.inventories(wanted, provider.generation, written=body["inventories"]),
        # Without inventories, there is no last change whose date could be sent.
        **caching.headers(req, caching.now() if wanted else None),
    )


@available_since(Since.DELETE_ALL_INVENTORIES, refusal=webob.exc.HTTPMethodNotAllowed)
@authorized("placement:resource_providers:inventories:delete")
def delete_all(req):
    """DELETE /resource_providers/{uuid}/inventories."""
    with req.writer() as conn:
        provider = providers.get(conn, req.path_variable("uuid"))
        prefixes = {
            exception.ConcurrentUpdate: (
                f"Unable to delete inventory for resource provider {provider.uuid} because "
                "the inventory was updated by another process. Please retry: "
            )
        }
        with error_prefixes.prefix_errors(prefixes):
            inventories.delete_all(conn, provider)
    return respond(204)


@answer_is_json
@authorized("placement:resource_providers:inventories:show")
def show(req):
    """GET /resource_providers/{uuid}/inventories/{resource_class}."""
    with req.single_statement() as conn:
        generation, inventory = inventories.get(
            conn, req.path_variable("uuid"), req.path_variable("resource_class")
        )
    return respond(
        200,
        _with_generation(generation, inventory),
        **caching.headers(req, caching.latest([inventory.touched])),
    )


@body_is_json
@authorized("placement:resource_providers:inventories:update")
def replace(req):
    """PUT /resource_providers/{uuid}/inventories/{resource_class}.

    Body: the values of the inventory, and {"resource_provider_generation": int}.
    """
    body = bodies.for_existing_provider(req, schemas.inventory.replace())
    inventory = inventories.Inventory.from_request(req.path_variable("resource_class"), body)
    with req.writer() as conn:
        provider = providers.get(conn, req.path_variable("uuid"))
        provider.check_generation(body["resource_provider_generation"])
        prefixes = {
            exception.InvalidInventoryCapacity: _unable_to_update(provider),
            exception.ConcurrentUpdate: error_prefixes.UPDATE_CONFLICT,
        }
        with error_prefixes.prefix_errors(prefixes):
            _check_capacity(req, provider, [inventory])
            inventories.replace(conn, provider, inventory)
    body = _with_generation(provider.generation, inventory, body)
    return respond(200, body, **caching.headers(req, caching.now()))


@authorized("placement:resource_providers:inventories:delete")
def delete(req):
    """DELETE /resource_providers/{uuid}/inventories/{resource_class}."""
    class_name = req.path_variable("resource_class")
    prefixes = {exception.Conflict: f"Unable to delete inventory of class {class_name}: "}
    with req.writer() as conn:
        provider = providers.get(conn, req.path_variable("uuid"))
        try:
            with error_prefixes.prefix_errors(prefixes):
                inventories.delete(conn, provider, class_name)
        except exception.InventoryInUse as error:
            # Here, unlike elsewhere, clients have always received this code.
            error.code = errors.CONCURRENT_UPDATE
            raise
    return respond(204)


def _check_capacity(req, provider, wanted):
    """Raises: InvalidInventoryCapacity, by the rule of the request's version."""
    may_reserve_all = req.since(Since.RESERVED_MAY_EQUAL_TOTAL)
    for inventory in wanted:
        inventories.check_capacity(inventory, provider.uuid, may_reserve_all)


def _unable_to_update(provider):
    return f"Unable to update inventory for resource provider {provider.uuid}: "


def _with_generation(generation, inventory, written=None):
    """Return the document of an inventory, with the generation of its provider.

    Values are spelled as in `written`, the body of a write, if that is given.
    """
    return resources.inventory(inventory, written) | {"resource_provider_generation": generation}
