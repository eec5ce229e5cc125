"""POST /reshaper."""

from placement import exception, schemas
from placement.handlers.allocation import claim
from placement.handlers.answering import error_prefixes
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import authorized, available_since, body_is_json
from placement.microversion import Since, version_flags
from placement.objects import reshape
from placement.objects.claims.resolution import writer_for


def move_body(since):
    """Return the schema of the body."""
    return schemas.reshaper.reshape(**version_flags.claim(since))


@available_since(Since.RESHAPER)
@body_is_json
@authorized("placement:reshaper:reshape")
def move(req):
    """POST /reshaper.

    Body: {"inventories": {provider_uuid: {"resource_provider_generation": int,
    "inventories": {class: values}}}, "allocations": {consumer_uuid: as for POST
    /allocations}}.
    Source: doc/explanation/rules.rst, M1 to M4.
    """
    body = req.json_matching(move_body(req.since))
    inventories = {
        provider_uuid: reshape.GivenInventories(
            given["resource_provider_generation"], given["inventories"]
        )
        for provider_uuid, given in body["inventories"].items()
    }
    reshape.check_size(inventories)
    claims = [
        claim(req, consumer_uuid, given) for consumer_uuid, given in body["allocations"].items()
    ]
    prefixes = {
        exception.UnknownResourceClass: "malformed reshaper data: ",
        exception.InventoryInUse: error_prefixes.UPDATE_CONFLICT,
        # The sentences of these errors already say what has changed.
        exception.ReshapeGenerationConflict: "",
        exception.ConsumerGenerationConflict: "",
        exception.AllocationsChanged: "",
        exception.ConcurrentUpdate: error_prefixes.UPDATE_CONFLICT,
    }
    with (
        error_prefixes.prefix_errors(prefixes),
        writer_for(req.database, claims) as (conn, names),
    ):
        reshape.reshape(conn, inventories, claims, names)
    return respond(204)
