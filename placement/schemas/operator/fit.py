"""GET /operator/fit."""

import functools

from placement.schemas import meanings, parts, validation
from placement.schemas.annotations import described, titled

_BOUND = {"type": "string", "pattern": "^[1-9][0-9]{0,8}$", "format": "single-line"}
_TOP = {"type": "string", "pattern": "^(100000|[1-9]?[0-9]{1,4})$", "format": "single-line"}


@functools.cache
def query(candidates_query):
    """Return the validator of a query for candidates without a limit, and with the what-ifs."""
    schema = candidates_query.schema
    properties = {name: each for name, each in schema["properties"].items() if name != "limit"}
    what_ifs = dict.fromkeys(("exclude", "ratio", "add"), parts.TEXT) | {
        "bound": _BOUND,
        "top": _TOP,
    }
    return validation.of_query(schema | {"properties": properties | what_ifs})


@functools.cache
def shown():
    """The answer."""
    fit = described("How often the request could be claimed.", parts.COUNT)
    host = {
        "uuid": described(
            "The UUID of the host; null for a host that add= adds.", parts.UUID_OR_NULL
        ),
        "name": described(
            "The name of the host; for a host that add= adds, the name of its model and a number.",
            parts.TEXT,
        ),
        "fit": fit,
        "stopped_by": described(
            "What keeps it from fitting once more: a class, or a constraint as an explanation "
            "names it; null: the bound was reached.",
            parts.TEXT_OR_NULL,
        ),
    }
    properties = {
        "format": parts.FORMAT,
        "query": described(meanings.QUERY, parts.TEXT),
        "fit": fit,
        "hosts_by_fit": described(
            "How often it could be claimed on a host, and on how many hosts; without those where "
            "it could not.",
            parts.by_key(parts.COUNT),
        ),
        "hosts": described(
            "The hosts on which it could be claimed most often, as many as top= asks for, in the "
            "order in which they are filled.",
            {"type": "array", "items": titled("HostFit", parts.growing(host, host))},
        ),
        "stopped_by": described(
            "How many hosts each class or constraint stops, as in hosts.", parts.by_key(parts.COUNT)
        ),
        "reasons": described(
            "What stopped_by names, in words for people.", parts.by_key(parts.TEXT)
        ),
        "stranded": described(
            "What is left of each class on hosts that only lack room.", parts.by_key(parts.COUNT)
        ),
        "unknown": described(
            meanings.UNKNOWN, {"type": "array", "items": parts.unknown_name()}
        ),
    }
    return validation.of_body(titled("Fit", parts.growing(properties, properties)))
