"""/allocations, /allocations/{consumer_uuid} and /resource_providers/{uuid}/allocations."""

import uuid

from oslo_utils import uuidutils

from placement import constants, exception, schemas
from placement.conf import opts
from placement.documents import resources
from placement.handlers.answering import caching, error_prefixes
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import (
    answer_is_json,
    authorized,
    available_since,
    body_is_json,
)
from placement.microversion import Since, version_flags
from placement.objects import allocation as allocations
from placement.objects.claims import writing
from placement.objects.claims.claim import UNCHECKED, ConsumerClaim


@answer_is_json
@authorized("placement:resource_providers:allocations:list")
def list_of_provider(req):
    """GET /resource_providers/{uuid}/allocations."""
    provider_uuid = req.path_variable("uuid")
    prefixes = {
        exception.ResourceProviderNotFound: f"Resource provider '{provider_uuid}' not found: "
    }
    with error_prefixes.prefix_errors(prefixes), req.single_statement() as conn:
        generation, rows = allocations.on_provider(conn, provider_uuid)
    body = resources.allocations_on_provider(
        rows, generation, **version_flags.allocations_on_provider(req.since)
    )
    last = caching.latest(row.created_at for row in rows)
    return respond(200, body, **caching.headers(req, last))


@answer_is_json
@authorized("placement:allocations:list")
def list_of_consumer(req):
    """GET /allocations/{consumer_uuid}."""
    with req.single_statement() as conn:
        held = allocations.of_consumer(conn, req.path_variable("consumer_uuid"))
    flags = version_flags.allocations_of_consumer(req.since)
    body = resources.allocations_of_consumer(held, **flags)
    # `held` is None for a consumer without allocations.
    created = [allocation.created_at for allocation in held.allocations] if held else []
    return respond(200, body, **caching.headers(req, caching.latest(created)))


def replace_body(since):
    """Return the schema of the body for one consumer."""
    if not since(Since.ALLOCATIONS_BY_PROVIDER):
        return schemas.allocation.replace_listed(with_owner=since(Since.CONSUMER_OWNER))
    return schemas.allocation.replace(**version_flags.claim(since))


@body_is_json
@authorized("placement:allocations:update")
def replace(req):
    """PUT /allocations/{consumer_uuid}.

    Body: what `claim` reads.
    Source: doc/explanation/rules.rst, W1 to W5, C1 to C4.
    """
    given_uuid = req.path_variable("consumer_uuid")
    if not uuidutils.is_uuid_like(given_uuid):
        raise exception.MalformedConsumer(uuid=given_uuid)
    consumer_uuid = str(uuid.UUID(given_uuid))
    body = req.json_matching(replace_body(req.since))
    prefixes = {
        exception.UnknownResourceClass: (
            f"Unable to allocate inventory for consumer {consumer_uuid}: "
        )
    }
    with error_prefixes.prefix_errors(prefixes):
        writing.replace_allocations(req.database, [claim(req, consumer_uuid, body)])
    return respond(204)


def replace_many_body(since):
    """Return the schema of the body for many consumers."""
    return schemas.allocation.replace_many(**version_flags.claim(since))


@available_since(Since.MANY_CONSUMERS)
@body_is_json
@authorized("placement:allocations:manage")
def replace_many(req):
    """POST /allocations.

    Body: {consumer_uuid: what `claim` reads}.
    Source: doc/explanation/rules.rst, W1 to W5, C1 to C4.
    """
    body = req.json_matching(replace_many_body(req.since))
    claims = [claim(req, consumer_uuid, given) for consumer_uuid, given in body.items()]
    prefixes = {exception.UnknownResourceClass: "Unable to allocate inventory "}
    with error_prefixes.prefix_errors(prefixes):
        writing.replace_allocations(req.database, claims)
    return respond(204)


@authorized("placement:allocations:delete")
def delete(req):
    """DELETE /allocations/{consumer_uuid}."""
    with req.writer() as conn:
        writing.delete_allocations(conn, req.path_variable("consumer_uuid"))
    return respond(204)


def claim(req, consumer_uuid, body):
    """Return the ConsumerClaim of a validated body.

    Body: {"allocations": {provider_uuid: {"resources": {class: amount}}}, "project_id": str,
    "user_id": str, "consumer_generation": int or null, "consumer_type": str}. In older versions,
    the last properties are missing, or "allocations" is a list of {"resource_provider": {"uuid":
    uuid}, "resources": {...}}, in which the last item for a provider counts.
    """
    given = body["allocations"]
    if isinstance(given, list):
        given = {item["resource_provider"]["uuid"]: item for item in given}
    if "project_id" in body:
        project_id, user_id = body["project_id"], body["user_id"]
    else:
        project_id, user_id = opts.incomplete_consumer_owner(req.conf)
    return ConsumerClaim(
        consumer_uuid=consumer_uuid,
        project_id=project_id,
        user_id=user_id,
        consumer_type=body.get("consumer_type"),
        generation=body.get("consumer_generation", UNCHECKED),
        allocations={
            provider_uuid: _whole_amounts(item["resources"])
            for provider_uuid, item in given.items()
        },
    )


def _whole_amounts(amounts):
    """Return amounts as integers. Clients may write 10.0, or a number too large for any column.

    Amounts of TOO_LARGE or more fit no inventory, so they need not be distinguished.
    """
    return {name: int(min(amount, constants.TOO_LARGE)) for name, amount in amounts.items()}
