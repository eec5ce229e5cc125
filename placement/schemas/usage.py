"""Source: contract, "GET /usages"."""

import functools

from placement.schemas import parts, validation

_CONSUMER_TYPE = {
    "type": "string",
    "pattern": "^[A-Z0-9_]+$|^all|^unknown$",
    "minLength": 1,
    "maxLength": 255,
}


@functools.cache
def list_query(consumer_type):
    properties = {"project_id": parts.OWNER, "user_id": parts.OWNER}
    if consumer_type:
        properties["consumer_type"] = _CONSUMER_TYPE
    return validation.of_query(parts.record(properties, ["project_id"]))
