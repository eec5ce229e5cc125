"""GET /operator/fit."""

import functools

from placement.schemas import parts, validation

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
        "fit": parts.COUNT,
        "stopped_by": parts.TEXT_OR_NULL,
    }
    properties = {
        "format": parts.FORMAT,
        "query": parts.TEXT,
        "fit": parts.COUNT,
        "hosts": {"type": "array", "items": parts.growing(host, host)},
        "stopped_by": parts.by_key(parts.COUNT),
        "stranded": parts.by_key(parts.COUNT),
        "unknown": {"type": "array", "items": parts.unknown_name()},
    }
    return validation.of_body(parts.growing(properties, properties))
