"""Error documents. Source: API-SIG guideline on errors."""

import functools

from placement import errors
from placement.schemas import parts, validation
from placement.schemas.annotations import described, titled


@functools.cache
def document(code):
    """The answer when something went wrong; with `code`, a word for clients to compare."""
    properties = {
        "status": described("The HTTP status.", {"type": "integer"}),
        "title": described("The words for the HTTP status.", parts.TEXT),
        "detail": described("A sentence for people.", parts.TEXT),
        "request_id": described(
            "Identifies the request in the logs of the service.", parts.TEXT
        ),
    }
    required = list(properties)
    if code:
        # Errors from before the version is known have none.
        properties["code"] = described(
            "A word for programs: what kind of error it is.",
            {"type": "string", "enum": list(errors.CODES)},
        )
    for name, which in {"min_version": "oldest", "max_version": "newest"}.items():
        meaning = f"The {which} version of the API, if the requested one does not exist."
        properties[name] = described(meaning, parts.TEXT)
    listed = {"type": "array", "items": titled("Error", parts.record(properties, required))}
    listed |= {"minItems": 1, "maxItems": 1}
    document = {"errors": described("What went wrong: always one.", listed)}
    return validation.of_body(titled("ErrorDocument", parts.record(document, document)))
