"""GET /healthcheck, which middleware answers, and no handler. Source: middleware/health.py."""

from placement.middleware import health, requestlog
from placement.openapi import examples
from placement.openapi.tags import TAGS

_HEALTH = "check_health"
_TEXT = {"schema": {"type": "string"}}
_OBJECT = {"type": "object", "additionalProperties": True}


def paths():
    """Return this path, as in an OpenAPI document."""
    return {health.PATH: {"get": _check_health()}}


def _check_health():
    return {
        "operationId": _HEALTH,
        "tags": [TAGS["health"].name],
        "summary": "Can this process serve requests?",
        "security": [],
        "responses": {
            "200": _health("200", "It can."),
            "503": _health("503", "It cannot; the body says why."),
        },
    }


def _health(status, description):
    document = {"schema": _OBJECT} | examples.of_answer(_HEALTH, status, _OBJECT)
    return _response(
        description,
        {"text/plain": _TEXT, "text/html": _TEXT, "application/json": document},
    )


def _response(description, content):
    headers = {requestlog.RESPONSE_HEADER: {"$ref": "#/components/headers/RequestId"}}
    return {"description": description, "headers": headers, "content": content}
