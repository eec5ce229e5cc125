"""Error documents. Source: API-SIG guideline on errors."""

import functools

from placement import errors
from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled


@functools.cache
def document(code):
    """Return the validator of the answer when something went wrong.

    With `code`, the answer has a code that tells programs which error it is.
    """
    properties = {
        "status": described("The HTTP status code, such as 409.", {"type": "integer"}),
        "title": described("The name of that status, such as Conflict.", common.TEXT),
        "detail": described(meanings.WHAT_WENT_WRONG, common.TEXT),
        "request_id": described(meanings.REQUEST_ID, common.TEXT),
    }
    required = list(properties)
    if code:
        # Errors that occur before the version is known have no code.
        properties["code"] = described(
            "Which error it is, for programs to compare.",
            {"type": "string", "enum": list(errors.CODES)},
        )
    for name, which in {"min_version": "oldest", "max_version": "newest"}.items():
        meaning = f"If the requested microversion is not supported: the {which} supported one."
        properties[name] = described(meaning, common.TEXT)
    error = titled("Error", common.record(properties, required=required))
    listed = {"type": "array", "items": error, "minItems": 1, "maxItems": 1}
    errors_only = {"errors": described("A list of exactly one error.", listed)}
    return validation.of_body(
        titled("ErrorDocument", common.record(errors_only, required=errors_only))
    )
