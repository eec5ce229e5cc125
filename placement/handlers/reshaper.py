"""POST /reshaper."""

from placement import exception, schemas
from placement.checks import authorized, available_since, body_is_json
from placement.handlers import wording
from placement.handlers.allocation import claim
from placement.microversion import Since
from placement.objects import inventory, reshape
from placement.response import respond


@available_since(Since.RESHAPER)
@body_is_json
@authorized("placement:reshaper:reshape")
def move(req):
    """POST /reshaper: move inventories and allocations between providers in one step.

    Body: {"inventories": {provider_uuid: {"resource_provider_generation": int,
    "inventories": {class: values}}}, "allocations": {consumer_uuid: as for POST
    /allocations}}.
    Raises: as objects.reshape.reshape.
    Source: contract, "POST /reshaper".
    """
    body = req.json_matching(
        schemas.reshaper.reshape(
            mappings=req.since(Since.MAPPINGS), consumer_type=req.since(Since.CONSUMER_TYPES)
        )
    )
    inventories = {
        provider_uuid: (
            given["resource_provider_generation"],
            [
                inventory.Inventory.from_request(class_name, values)
                for class_name, values in given["inventories"].items()
            ],
        )
        for provider_uuid, given in body["inventories"].items()
    }
    claims = [claim(req, *each) for each in body["allocations"].items()]
    preludes = {
        exception.UnknownResourceClass: "malformed reshaper data: ",
        exception.InventoryInUse: "update conflict: ",
    }
    with wording.told_with(preludes), req.writer() as conn:
        reshape.reshape(conn, inventories, claims)
    return respond(204)
