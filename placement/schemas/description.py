"""GET /openapi.json."""

import functools

from placement.schemas import parts, validation


@functools.cache
def query(versions):
    """Which version is described, out of the tuple of `versions`."""
    return validation.of_query(
        parts.record({"microversion": {"type": "string", "enum": [*versions, "latest"]}})
    )


@functools.cache
def shown():
    """The answer, which has a specification of its own."""
    return validation.of_body(parts.by_key({}))
