"""GET /healthcheck and GET /metrics, which middleware answers, and no handler.

Source: middleware/health.py, middleware/metrics.py.
"""

from placement.middleware import health, metrics, requestlog
from placement.openapi import examples
from placement.openapi.tags import TAGS

_HEALTH = "check_health"
_TEXT = {"schema": {"type": "string"}}
_OBJECT = {"type": "object", "additionalProperties": True}

# A piece of what `GET /metrics` answers.
_EXPOSITION = """\
# HELP placement_class_used What consumers have taken, on all providers.
# TYPE placement_class_used gauge
placement_class_used{resourcetype="VCPU"} 6.0
"""


def paths():
    """Return these paths, as in an OpenAPI document."""
    return {
        health.PATH: {"get": _check_health()},
        metrics.PATH: {"get": _show_metrics()},
    }


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


def _show_metrics():
    return {
        "operationId": "show_metrics",
        "tags": [TAGS["metrics"].name],
        "summary": "What is measured, in the text format of Prometheus.",
        "description": "Only where `[metrics] enabled` is on.",
        "security": [],
        "responses": {
            "200": _response("Done.", {"text/plain": _TEXT | {"example": _EXPOSITION}}),
            # Where it is not on, no token is as good as any.
            "401": {"$ref": "#/components/responses/NoToken"},
            "404": {"$ref": "#/components/responses/NothingThere"},
        },
    }


def _response(description, content):
    headers = {requestlog.RESPONSE_HEADER: {"$ref": "#/components/headers/RequestId"}}
    return {"description": description, "headers": headers, "content": content}
