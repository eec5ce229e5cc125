"""The text of a query string -> its pairs, if a validator of schemas/ accepts them."""

import os

from webob.compat import parse_qsl_text
from webob.multidict import MultiDict

from placement import exception

_REFUSED = "Invalid query string parameters"

# No stored identifier contains it, so text with it names nothing.
NAMES_NOTHING = "\N{REPLACEMENT CHARACTER}"


def parsed(text):
    """Return the MultiDict of a query string, with U+FFFD for NUL, which PostgreSQL cannot compare.

    `text` has a character for each octet, as WSGI hands it over.
    Raises: BadQuery if it is not UTF-8.
    """
    try:
        pairs = list(parse_qsl_text(text))
    except UnicodeDecodeError as error:
        raise exception.BadQuery(f"{_REFUSED}: {error}") from error
    return MultiDict((_without_nul(key), _without_nul(value)) for key, value in pairs)


def of_argument(text, validator, first_too=False):
    """Return the MultiDict of a query that a person typed, after check(). Raises: BadQuery."""
    query = parsed(os.fsencode(text).decode("latin-1"))
    check(query, validator, first_too)
    return query


def check(query, validator, first_too=False):
    """Check that a `validator` accepts the last value of each key of a MultiDict.

    With `first_too`, check each key's first value as well, if it is a different one.
    Raises: BadQuery.
    """
    last_values = dict(query)
    _check(validator, last_values)
    if first_too and len(last_values) < len(query):
        _check(validator, dict(reversed(list(query.items()))))


def _without_nul(text):
    return text.replace("\0", NAMES_NOTHING)


def _check(validator, values):
    violation = validator.complaint(values)
    if violation is not None:
        raise exception.BadQuery(f"{_REFUSED}: {violation}")
