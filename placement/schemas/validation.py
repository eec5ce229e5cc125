"""What turns a schema into a validator: the dialect of JSON schema, and the formats.

In a body a uuid may be spelled in any way that is unmistakable; in a query it must have
its dashes in place. Both are the format "uuid", as clients see that word in messages.
Source: contract, "Lexical types".
"""

import re

import jsonschema
from oslo_utils import uuidutils

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


def of_body(schema):
    """A validator of parsed JSON documents."""
    return jsonschema.Draft202012Validator(schema, format_checker=_BODY_FORMATS)


def of_query(schema):
    """A validator of {parameter: last value} dicts."""
    return jsonschema.Draft202012Validator(schema, format_checker=_QUERY_FORMATS)
