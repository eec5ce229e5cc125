"""/resource_providers and /resource_providers/{uuid}.

Source: doc/reference/api/resource-providers.rst.
"""

import uuid as uuid_module

from placement import exception, schemas
from placement.documents import resources
from placement.handlers.answering import caching, error_prefixes
from placement.handlers.answering.response import respond
from placement.handlers.requests import bodies
from placement.handlers.requests.preconditions import answer_is_json, authorized, body_is_json
from placement.microversion import Since, version_flags
from placement.objects import resource_provider as providers
from placement.queries import provider_query


@answer_is_json
@authorized("placement:resource_providers:list")
def list_all(req):
    """GET /resource_providers.

    Source: doc/explanation/rules.rst, L1 and L2.
    """
    pairs = req.query_of_version(provider_query.validator)
    filters = provider_query.filters(pairs, req.since)
    # Names are looked up first, with a separate statement.
    connection = req.reader() if filters.have_names else req.single_statement()
    with error_prefixes.prefix_errors(error_prefixes.OF_PROVIDER_QUERIES), connection as conn:
        rows = providers.list_matching(conn, filters)
    presented = _presented(req)
    body = {"resource_providers": [presented(row) for row in rows]}
    return respond(200, body, **caching.headers(req, caching.latest(row.touched for row in rows)))


def create_body(since):
    """Return the schema of the body."""
    return schemas.resource_provider.create(**version_flags.provider_in_request(since))


@body_is_json
@authorized("placement:resource_providers:create")
def create(req):
    """POST /resource_providers.

    Body: {"name": str, "uuid"?: uuid, "parent_provider_uuid"?: uuid or null}.
    """
    body = req.json_matching(create_body(req.since))
    uuid = str(uuid_module.UUID(body["uuid"]) if "uuid" in body else uuid_module.uuid4())
    prefixes = {
        exception.InvalidValue: f'Unable to create resource provider "{body["name"]}", {uuid}: '
    }
    with error_prefixes.prefix_errors(prefixes), req.writer() as conn:
        provider = providers.create(
            conn, uuid=uuid, name=body["name"], parent_uuid=body.get("parent_provider_uuid")
        )
    return _created(req, provider, **version_flags.created_provider(req.since))


def _created(req, provider, *, with_provider):
    """Return the response for a new provider; in older versions, it has no body."""
    location = f"{req.mount_prefix}/resource_providers/{provider.uuid}"
    if not with_provider:
        return respond(201, location=location)
    return respond(
        200,
        _presented(req)(provider),
        location=location,
        **caching.headers(req, caching.latest([provider.touched])),
    )


@answer_is_json
@authorized("placement:resource_providers:show")
def show(req):
    """GET /resource_providers/{uuid}."""
    with req.single_statement() as conn:
        provider = providers.show(conn, req.path_variable("uuid"))
    return _shown(req, provider)


def update_body(since):
    """Return the schema of the body."""
    return schemas.resource_provider.update(**version_flags.provider_in_request(since))


@body_is_json
@authorized("placement:resource_providers:update")
def update(req):
    """PUT /resource_providers/{uuid}.

    Body: {"name": str, "parent_provider_uuid"?: uuid or null}.
    """
    body = bodies.for_existing_provider(req, update_body(req.since))
    with req.writer() as conn:
        provider = providers.get(conn, req.path_variable("uuid"))
        prefixes = {exception.InvalidValue: f"Unable to save resource provider {provider.uuid}: "}
        with error_prefixes.prefix_errors(prefixes):
            provider = providers.update(
                conn,
                provider,
                name=body["name"],
                parent_uuid=body.get("parent_provider_uuid", providers.UNCHANGED),
                may_move=req.since(Since.REPARENTING),
            )
    return _shown(req, provider)


@authorized("placement:resource_providers:delete")
def delete(req):
    """DELETE /resource_providers/{uuid}."""
    with req.writer() as conn:
        providers.delete(conn, req.path_variable("uuid"))
    return respond(204)


def _shown(req, provider):
    return respond(
        200,
        _presented(req)(provider),
        **caching.headers(req, caching.latest([provider.touched])),
    )


def _presented(req):
    """Return the function that presents a provider to this client."""
    flags = version_flags.resource_provider(req.since)
    return resources.resource_providers(req.mount_prefix, **flags)
