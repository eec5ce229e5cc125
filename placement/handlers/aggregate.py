"""/resource_providers/{uuid}/aggregates.

Source: doc/reference/api/aggregates.rst.
"""

from placement import exception, schemas
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
from placement.microversion import Since, version_flags
from placement.objects import aggregate as aggregates


@answer_is_json
@available_since(Since.AGGREGATES)
@authorized("placement:resource_providers:aggregates:list")
def list_all(req):
    """GET /resource_providers/{uuid}/aggregates."""
    with req.single_statement() as conn:
        generation, uuids = aggregates.of_provider(conn, req.path_variable("uuid"))
    return _answer(req, generation, uuids)


def replace_body(since):
    """Return the schema of the body."""
    return schemas.aggregate.replace(**version_flags.aggregates(since))


@body_is_json
@available_since(Since.AGGREGATES)
@authorized("placement:resource_providers:aggregates:update")
def replace(req):
    """PUT /resource_providers/{uuid}/aggregates.

    Body: [uuid, ...]; since AGGREGATES_GENERATION,
    {"aggregates": [uuid, ...], "resource_provider_generation": int}.
    """
    knows_generation = version_flags.aggregates(req.since)["with_generation"]
    prefixes = {
        # This is a ConcurrentUpdate, too, but its sentence needs no prefix.
        exception.ProviderGenerationChanged: "",
        exception.ConcurrentUpdate: "Update conflict: ",
    }
    body = bodies.for_existing_provider(req, replace_body(req.since))
    uuids = body["aggregates"] if knows_generation else body
    with error_prefixes.prefix_errors(prefixes), req.writer() as conn:
        provider = aggregates.read_for_replacement(conn, req.path_variable("uuid"), uuids)
        if knows_generation:
            provider.check_generation(
                body["resource_provider_generation"], exception.ProviderGenerationChanged
            )
        aggregates.replace(conn, provider, uuids, advance_generation=knows_generation)
    return _answer(req, provider.generation, uuids)


def _answer(req, generation, uuids):
    body = resources.aggregates(uuids, generation, **version_flags.aggregates(req.since))
    return respond(200, body, **caching.headers(req, caching.now()))
