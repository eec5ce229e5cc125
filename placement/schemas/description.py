"""GET /openapi.json."""

import functools

from placement.schemas import parts, validation
from placement.schemas.annotations import titled


@functools.cache
def query(versions):
    """Return the validator of a query for the description of one of the `versions`, a tuple."""
    return validation.of_query(
        parts.record({"microversion": {"type": "string", "enum": [*versions, "latest"]}})
    )


@functools.cache
def shown():
    """Return the validator of the answer: any object, because OpenAPI specifies more about it."""
    return validation.of_body(titled("OpenAPIDocument", parts.by_key({})))
