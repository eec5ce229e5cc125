"""The text of a query string -> its pairs, if a validator of schemas/ accepts them.

Source: doc/explanation/rules.rst, Q3 and Q4.
"""

import re

from webob.compat import parse_qsl_text
from webob.multidict import MultiDict

from placement import exception
from placement.queries import unknown_parameters
from placement.queries.grammar import INVALID

# This replaces what a database cannot compare. No stored identifier contains it.
NAMES_NOTHING = "\N{REPLACEMENT CHARACTER}"
# Names of providers and owners may contain it, but none of them is this long.
_TOO_LONG = NAMES_NOTHING * 256
# PostgreSQL cannot compare a NUL.
NUL = re.compile("\0")
# The beginning of a query that only names amounts, such as VCPU:4,MEMORY_MB:1024.
_AMOUNTS = re.compile(r"\w+:[^=&]*(&|$)")


def parsed(octets):
    """Return the MultiDict of a query string, with U+FFFD for NUL in keys.

    `octets` is a string with a character for each octet, as WSGI hands it over.
    Raises: BadQuery if the octets are not UTF-8.
    """
    try:
        pairs = list(parse_qsl_text(octets))
    except UnicodeDecodeError as error:
        raise exception.BadQuery(f"{INVALID}{error}") from error
    return MultiDict((NUL.sub(NAMES_NOTHING, key), value) for key, value in pairs)


def of_text(text):
    """Return the MultiDict of a query string from JSON, a file or a person, rather than from WSGI.

    Raises: BadQuery if an escape such as %FF is not UTF-8.
    """
    # An argument of a command may have octets that are not UTF-8, as halves of surrogate pairs.
    return parsed(text.encode(errors="surrogateescape").decode("latin-1"))


def comparable(query, unknown):
    """Return a MultiDict with values that every database can compare.

    `unknown` is the pattern of the characters that nothing in the database has. A name with such a
    character becomes a name that nothing has.
    """
    return MultiDict((key, _comparable(value, unknown)) for key, value in query.items())


def _comparable(text, unknown):
    """Return a string without its unknown characters; if it has any, one longer than any name."""
    return unknown.sub(NAMES_NOTHING, unknown.sub(_TOO_LONG, text, count=1))


def interpret(text):
    """Return the query string that a person means by a URL, a query or only amounts."""
    query = text.rpartition("?")[2]
    return f"resources={query}" if _AMOUNTS.match(query) else query


def last(query):
    """Yield one dict, with the last value of each key of a MultiDict."""
    # A dict, because a MultiDict would search all its keys for each one that is looked up.
    yield dict(query.items())


def first_and_last(query):
    """Yield a dict of each key's last value and, if a key is repeated, one of the first values."""
    last_values = dict(query.items())
    yield last_values
    if len(last_values) < len(query):
        # Reversed, so that the first value of each key is the one that stays.
        yield dict(reversed(list(query.items())))


def every(query):
    """Yield dicts with one value of each key; together they have every value of every key."""
    values_by_key = query.dict_of_lists()
    for position in range(max(map(len, values_by_key.values()), default=1)):
        yield {key: values[position % len(values)] for key, values in values_by_key.items()}


def of_argument(text, validator, values=last):
    """Return the MultiDict of a query that a person typed, if check() passes. Raises: BadQuery."""
    query = of_text(text)
    check(query, validator, values)
    return comparable(query, NUL)


def check(query, validator, values=last):
    """Check that a validator accepts each dict that `values(query)` yields. Raises: BadQuery."""
    for each in values(query):
        _check(validator, each)


def _check(validator, values):
    """Raises: BadQuery, or UnknownParameter if there is a key that the validator does not know."""
    violation = validator.complaint(values)
    if violation is None:
        return
    detail = f"{INVALID}{violation}"
    if unknown := validator.unexpected(values):
        name = next(iter(unknown))
        cause = unknown_parameters.sentence(name, validator)
        raise exception.UnknownParameter(detail, name, cause)
    raise exception.BadQuery(detail, cause=f"{INVALID}{violation.short}")
