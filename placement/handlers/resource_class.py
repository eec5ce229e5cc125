"""/resource_classes and /resource_classes/{name}.

Source: doc/reference/api/resource-classes.rst.
"""

from placement import exception, schemas
from placement.documents import resources
from placement.handlers.answering import caching, error_prefixes
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import (
    answer_is_json,
    authorized,
    available_since,
    body_is_json,
)
from placement.microversion import Since
from placement.objects import resource_class as classes


@available_since(Since.RESOURCE_CLASSES)
@answer_is_json
@authorized("placement:resource_classes:list")
def list_all(req):
    """GET /resource_classes."""
    with req.single_statement() as conn:
        rows = classes.list_all(conn)
    body = {
        "resource_classes": [resources.resource_class(row.name, req.mount_prefix) for row in rows]
    }
    return respond(200, body, **caching.headers(req, caching.latest(row.touched for row in rows)))


@available_since(Since.RESOURCE_CLASSES)
@body_is_json
@authorized("placement:resource_classes:create")
def create(req):
    """POST /resource_classes.

    Body: {"name": str}.
    """
    name = req.json_matching(schemas.resource_class.custom())["name"]
    with req.writer() as conn:
        classes.create(conn, name)
    return respond(201, location=_location(req, name))


@available_since(Since.RESOURCE_CLASSES)
@answer_is_json
@authorized("placement:resource_classes:show")
def show(req):
    """GET /resource_classes/{name}."""
    with req.single_statement() as conn:
        found = classes.get(conn, req.path_variable("name"))
    body = resources.resource_class(found.name, req.mount_prefix)
    return respond(200, body, **caching.headers(req, caching.latest([found.touched])))


@available_since(Since.RESOURCE_CLASSES)
def update(req):
    """PUT /resource_classes/{name}: rename or, since ENSURE_RESOURCE_CLASS, ensure the class."""
    return updating(req.since)(req)


def updating(since):
    """Return the handler that does the work of `update` in a version."""
    return ensure if since(Since.ENSURE_RESOURCE_CLASS) else rename


@body_is_json
@authorized("placement:resource_classes:update")
def rename(req):
    """PUT /resource_classes/{name}.

    Body: {"name": str}, the new name.
    """
    new_name = req.json_matching(schemas.resource_class.custom())["name"]
    with req.writer() as conn:
        renamed = classes.rename(conn, req.path_variable("name"), new_name)
    return respond(200, resources.resource_class(renamed.name, req.mount_prefix))


@authorized("placement:resource_classes:update")
def ensure(req):
    """PUT /resource_classes/{name}."""
    name = req.path_variable("name")
    req.check_json(schemas.resource_class.custom(), {"name": name})
    with req.writer() as conn:
        is_new = classes.ensure(conn, name)
    return respond(201 if is_new else 204, location=_location(req, name))


@available_since(Since.RESOURCE_CLASSES)
@authorized("placement:resource_classes:delete")
def delete(req):
    """DELETE /resource_classes/{name}."""
    prefixes = {
        exception.InvalidValue: "Error in delete resource class: ",
        exception.Conflict: "Error in delete resource class: ",
    }
    with error_prefixes.prefix_errors(prefixes), req.writer() as conn:
        classes.delete(conn, req.path_variable("name"))
    return respond(204)


def _location(req, name):
    return f"{req.mount_prefix}/resource_classes/{name}"
