"""GET /operator/explanation."""

import functools

from placement.schemas import parts, validation

# The group is null where a constraint is about all of them.
_CONSTRAINT = {"group": parts.TEXT_OR_NULL, "constraint": parts.TEXT, "value": parts.TEXT_OR_NULL}
_PROVIDER = {"uuid": parts.UUID, "name": parts.TEXT}


@functools.cache
def query(candidates_query):
    """Return the validator of a query for candidates of one host, or naming so many."""
    schema = candidates_query.schema
    closest = {"type": "string", "pattern": "^(100|[1-9]?[0-9])$", "format": "single-line"}
    also = {"closest": closest, "host": {"type": "string", "minLength": 1}}
    return validation.of_query(schema | {"properties": schema["properties"] | also})


@functools.cache
def shown():
    """The answer."""
    count = _CONSTRAINT | {"fail": parts.COUNT, "only": parts.COUNT, "left": parts.COUNT}
    of_resources = {
        "why": parts.by_key(parts.COUNT),
        "most_free": parts.COUNT,
        "limits": parts.by_key(parts.COUNT),
    }
    provider = parts.growing(_PROVIDER, _PROVIDER)
    unmet = _CONSTRAINT | {
        "why": parts.TEXT,
        "free": parts.COUNT,
        "reserved": parts.COUNT,
        "unit": parts.COUNT,
        "provider": provider,
        "serving": parts.by_key(_list_of(provider)),
    }
    close = _PROVIDER | {"unmet": _list_of(parts.growing(unmet, _CONSTRAINT))}
    change = _CONSTRAINT | {"instead": parts.TEXT_OR_NULL}
    relaxation = change | {
        "also": _list_of(parts.growing(change, change)),
        "hosts": parts.COUNT,
        "example": provider,
    }
    hosts = {"all": parts.COUNT, "pass": parts.COUNT}
    properties = {
        "format": parts.FORMAT,
        "query": parts.TEXT,
        "hosts": parts.growing(hosts, hosts),
        "candidates": parts.COUNT,
        "constraints": _list_of(parts.growing(count | of_resources, count)),
        "closest": _list_of(parts.growing(close, close)),
        "relaxations": _list_of(parts.growing(relaxation, relaxation)),
        "unknown": _list_of(parts.unknown_name()),
        "summary": parts.TEXT,
    }
    # Where only one was asked.
    host = {"host": provider}
    return validation.of_body(parts.growing(properties | host, properties))


def _list_of(items):
    return {"type": "array", "items": items}
