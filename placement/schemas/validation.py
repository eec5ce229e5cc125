"""What turns a schema into a validator: the dialect of JSON schema, and the formats.

In a body a uuid may be spelled in any way that is unmistakable; in a query it must have
its dashes in place. Both are the format "uuid", as clients see that word in messages.
"""

import itertools
import json
import re

import jsonschema
from jsonschema import exceptions
from oslo_utils import uuidutils

# So many violations of a document are found before the most relevant one is reported.
MOST_VIOLATIONS = 1000
# Of a longer message or value, the beginning and the end are reported.
LONGEST_TEXT = 4000

_DASHED_UUID = re.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def _is_single_line(value):
    """The `$` of a pattern also matches before a last newline, so patterns need this."""
    return not (isinstance(value, str) and "\n" in value)


def _is_uuid(value):
    return not isinstance(value, str) or uuidutils.is_uuid_like(value)


def _is_dashed_uuid(value):
    return not isinstance(value, str) or _DASHED_UUID.fullmatch(value) is not None


def _formats(is_uuid):
    checker = jsonschema.FormatChecker(formats=())
    checker.checks("uuid")(is_uuid)
    checker.checks("single-line")(_is_single_line)
    return checker


_BODY_FORMATS = _formats(_is_uuid)
_QUERY_FORMATS = _formats(_is_dashed_uuid)


def _unique_items(validator, wanted, instance, schema):
    """As jsonschema's own, which compares every pair of items that cannot be sorted.

    Numbers are the same here if they are written alike.
    """
    if not wanted or not validator.is_type(instance, "array"):
        return
    if len({json.dumps(item, sort_keys=True) for item in instance}) < len(instance):
        yield jsonschema.ValidationError(f"{instance!r} has non-unique elements")


_Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator, {"uniqueItems": _unique_items}
)


def of_body(schema):
    """A validator of parsed JSON documents."""
    return _Validator(schema, format_checker=_BODY_FORMATS)


def of_query(schema):
    """A validator of {parameter: last value} dicts."""
    return _Validator(schema, format_checker=_QUERY_FORMATS)


def complaint(validator, instance):
    """Return the text on the most relevant violation; None if there is none.

    The time that it takes, beyond that of checking what is valid, does not grow with the
    number of violations, nor the text with the size of the instance.
    """
    violations = itertools.islice(validator.iter_errors(instance), MOST_VIOLATIONS)
    violation = exceptions.best_match(violations)
    if violation is None:
        return None
    violation.message = _abridged(violation.message)
    violation.relative_path = [
        _abridged(step) if isinstance(step, str) else step for step in violation.relative_path
    ]
    written = repr(violation.instance)
    if len(written) > LONGEST_TEXT:
        violation.instance = _Written(_abridged(written))
    return str(violation)


def _abridged(text):
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]} ... {text[-half:]}"


class _Written:
    """Stands for a value whose representation is `text`."""

    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text
