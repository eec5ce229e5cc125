"""GET /healthcheck, which middleware answers, and no handler. Source: middleware/health.py."""

from placement.db.faults import outages
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
    healthy = {"schema": _OBJECT} | examples.of_answer(_HEALTH, "200", _OBJECT)
    # What oslo.middleware says in all forms; the reason of an outage is text.
    reason = _TEXT | {"example": outages.Reason.UNREACHABLE.value}
    return {
        "operationId": _HEALTH,
        "tags": [TAGS["health"].name],
        "summary": "Can this process serve requests?",
        "security": [],
        "responses": {
            "200": _health("It can.", _TEXT, healthy),
            "503": _health("It cannot; the body says why.", reason, {"schema": _OBJECT}),
        },
    }


def _health(description, text, document):
    return _response(
        description, {"text/plain": text, "text/html": _TEXT, "application/json": document}
    )


def _response(description, content):
    headers = {requestlog.RESPONSE_HEADER: {"$ref": "#/components/headers/RequestId"}}
    return {"description": description, "headers": headers, "content": content}
