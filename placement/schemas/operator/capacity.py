"""GET /operator/capacity."""

import functools

from placement.schemas import parts, validation

# More may be reserved than there is.
_CAPACITY = {"type": "integer"}


@functools.cache
def query(groupings):
    """Return the validator of a query that may group by one of `groupings`."""
    top = {"type": "string", "pattern": "^(1000|[1-9]?[0-9]{1,2})$", "format": "single-line"}
    return validation.of_query(
        parts.record({"by": {"type": "string", "enum": list(groupings)}, "top": top})
    )


@functools.cache
def shown():
    """The answer."""
    fill = {
        "uuid": parts.UUID,
        "name": parts.TEXT,
        "class": parts.TEXT,
        "capacity": _CAPACITY,
        "used": parts.COUNT,
    }
    sums = {
        "class": parts.TEXT,
        "total": parts.COUNT,
        "reserved": parts.COUNT,
        "capacity": _CAPACITY,
        "used": parts.COUNT,
        "providers": parts.COUNT,
        "full": parts.COUNT,
        "largest_free": parts.COUNT,
    }
    group = {"aggregate": parts.UUID, "trait": parts.TEXT}
    properties = {
        "format": parts.FORMAT,
        "by": parts.TEXT,
        "hosts": parts.COUNT,
        "rows": {"type": "array", "items": parts.growing(sums | group, sums)},
        "fullest": {"type": "array", "items": parts.growing(fill, fill)},
    }
    return validation.of_body(parts.growing(properties, properties))
