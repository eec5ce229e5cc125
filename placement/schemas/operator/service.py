"""GET /operator/service."""

import functools

from placement.schemas import parts, validation


@functools.cache
def query():
    """There are no parameters."""
    return validation.of_query(parts.record({}))


@functools.cache
def shown():
    """The answer."""
    properties = {
        "format": parts.FORMAT,
        "release": parts.TEXT,
        "max_version": parts.TEXT,
        "database": parts.TEXT,
    }
    return validation.of_body(parts.growing(properties, properties))
