"""GET /openapi.json."""

import functools

from placement.schemas import common, validation
from placement.schemas.annotations import titled


@functools.cache
def query(versions):
    """Return the validator of a query for the description of one of the `versions`, a tuple."""
    named = {"type": "string", "enum": [*versions]}
    return validation.of_query(common.record({"microversion": named}))


@functools.cache
def shown():
    """Return the validator of the answer: any object, because OpenAPI specifies more about it."""
    return validation.of_body(titled("OpenAPIDocument", common.by_key({})))
