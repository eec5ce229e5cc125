"""Error documents. Source: API-SIG guideline on errors."""

import functools

from placement import errors
from placement.schemas import parts, validation


@functools.cache
def document(code):
    """The answer when something went wrong; with `code`, a word for clients to compare."""
    properties = {
        "status": {"type": "integer"},
        "title": parts.TEXT,
        "detail": parts.TEXT,
        "request_id": parts.TEXT,
    }
    required = list(properties)
    if code:
        # Errors from before the version is known have none.
        properties["code"] = {"type": "string", "enum": list(errors.CODES)}
    properties |= {"min_version": parts.TEXT, "max_version": parts.TEXT}
    listed = {"type": "array", "items": parts.record(properties, required)}
    listed |= {"minItems": 1, "maxItems": 1}
    return validation.of_body(parts.record({"errors": listed}, ["errors"]))
