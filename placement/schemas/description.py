"""GET /openapi.json."""

import functools

from placement.schemas import parts, validation
from placement.schemas.annotations import titled


@functools.cache
def query(versions):
    """Return the schema of the version to describe, one of `versions`, a tuple."""
    return validation.of_query(
        parts.record({"microversion": {"type": "string", "enum": [*versions, "latest"]}})
    )


@functools.cache
def shown():
    """Return the validator of the answer, which has a specification of its own."""
    return validation.of_body(titled("OpenAPIDocument", parts.by_key({})))
