"""/operator/audit. Source: doc/how-to/audit.rst."""

import functools

from placement.schemas import parts, validation

_BOOLEAN = {"type": "boolean"}


@functools.cache
def query():
    """There are no parameters."""
    return validation.of_query(parts.record({}))


@functools.cache
def repair(names):
    """Which checks' findings shall be repaired, out of `names`; all if it does not say."""
    wanted = {
        "type": "array",
        "items": {"type": "string", "enum": list(names)},
        "minItems": 1,
        "maxItems": len(names),
        "uniqueItems": True,
    }
    return validation.of_body(parts.record({"repair": wanted}))


@functools.cache
def findings():
    """The answer: what each check found."""
    check = {
        "check": parts.TEXT,
        "question": parts.TEXT,
        "is_fault": _BOOLEAN,
        "meaning": parts.TEXT_OR_NULL,
        "is_repairable": _BOOLEAN,
        "count": parts.COUNT,
        "examples": {
            "type": "array",
            "items": parts.by_key({"type": ["string", "integer", "null"]}),
            "maxItems": 10,
        },
    }
    properties = {
        "format": parts.FORMAT,
        "is_sound": _BOOLEAN,
        "checks": {"type": "array", "items": parts.growing(check, check)},
    }
    return validation.of_body(parts.growing(properties, properties))


@functools.cache
def repaired():
    """The answer: how many rows were repaired, by check."""
    properties = {"format": parts.FORMAT, "repaired": parts.by_key(parts.COUNT)}
    return validation.of_body(parts.growing(properties, properties))
