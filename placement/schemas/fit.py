"""GET /operator/fit."""

import functools

from placement.schemas import parts, validation

_COUNT = {"type": "integer", "minimum": 0}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_BOUND = {"type": "string", "pattern": "^[1-9][0-9]{0,8}$", "format": "single-line"}


@functools.cache
def query(candidates_query):
    """Return the validator of a query for candidates without a limit, and with the what-ifs."""
    schema = candidates_query.schema
    properties = {name: each for name, each in schema["properties"].items() if name != "limit"}
    what_ifs = dict.fromkeys(("exclude", "ratio", "add"), parts.TEXT) | {"bound": _BOUND}
    return validation.of_query(schema | {"properties": properties | what_ifs})


@functools.cache
def shown():
    """The answer."""
    host = {
        "uuid": parts.UUID_OR_NULL,
        "name": parts.TEXT,
        "fit": _COUNT,
        "stopped_by": _TEXT_OR_NULL,
    }
    properties = {
        "format": {"const": 1},
        "query": parts.TEXT,
        "fit": _COUNT,
        "hosts": {"type": "array", "items": parts.record(host, host)},
        "stopped_by": parts.by_key(_COUNT),
        "stranded": parts.by_key(_COUNT),
        "unknown": {"type": "array", "items": parts.unknown_name()},
    }
    return validation.of_body(parts.record(properties, properties))
