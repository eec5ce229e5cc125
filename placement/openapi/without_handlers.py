"""Operations without a handler: /openapi.json, served by web/description.py, and /healthcheck."""

from placement import constants, microversion, schemas
from placement.db.faults import outages
from placement.middleware import requestlog
from placement.openapi import examples, web_servers
from placement.openapi.operations.declaration import Operation, constantly, with_etag
from placement.openapi.tags import TAGS

DESCRIPTION_QUERY = schemas.description.query((*microversion.VERSIONS, microversion.LATEST))
DESCRIBE = Operation(
    "describe_api",
    "The OpenAPI document of one version of the API, for anyone.",
    with_etag(schemas.description.shown()),
    "The document changes only with releases of the service. The answer has an ETag, and a request "
    "with If-None-Match is answered with 304 if the client has it already.",
    query=constantly(DESCRIPTION_QUERY),
)

_HEALTH = "check_health"
_TEXT = {"schema": {"type": "string"}}
_OBJECT = {"type": "object", "additionalProperties": True}
_FORMS = {"text/plain": _TEXT, "text/html": _TEXT, constants.JSON: {"schema": _OBJECT}}


def check_health():
    """Return what a document says about GET /healthcheck. Source: middleware/health.py."""
    healthy = {"schema": _OBJECT} | examples.of_answer(_HEALTH, "200", _OBJECT)
    # oslo.middleware answers in all these forms; the reason for an outage is always plain text.
    unhealthy = {
        media_type: form | examples.of_refusal(_HEALTH, "503", media_type, form["schema"])
        for media_type, form in _FORMS.items()
    }
    unhealthy["text/plain"] = _TEXT | {"example": outages.Reason.UNREACHABLE.value}
    return {
        "operationId": _HEALTH,
        "tags": [TAGS["health"].name],
        "summary": "Whether this process can serve requests.",
        "security": [],
        "responses": {
            "200": _response("It can.", _FORMS | {constants.JSON: healthy}),
            "500": {"description": "The service failed; its log says why."} | web_servers.FAILED,
            "503": _response("This process cannot serve requests; the body says why.", unhealthy),
        },
    }


def _response(description, content):
    headers = {requestlog.RESPONSE_HEADER: {"$ref": "#/components/headers/RequestId"}}
    return {"description": description, "headers": headers, "content": content}
