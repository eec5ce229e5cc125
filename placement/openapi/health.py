"""GET /healthcheck, which middleware answers (middleware/health.py), and no handler."""

from placement.middleware import health, requestlog
from placement.openapi.tags import TAGS

_TEXT = {media_type: {"schema": {"type": "string"}} for media_type in ("text/plain", "text/html")}
_JSON = {"application/json": {"schema": {"type": "object", "additionalProperties": True}}}


def _response(description):
    headers = {requestlog.RESPONSE_HEADER: {"$ref": "#/components/headers/RequestId"}}
    return {"description": description, "headers": headers, "content": _TEXT | _JSON}


PATHS = {
    health.PATH: {
        "get": {
            "operationId": "check_health",
            "tags": [TAGS["health"].name],
            "summary": "Can this process serve requests?",
            "security": [],
            "responses": {
                "200": _response("It can."),
                "503": _response("It cannot; the body says why."),
            },
        }
    }
}
