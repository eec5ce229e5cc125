"""The declaration of an operation, and the usual answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from placement.openapi.refusals import Refusal


class Answer(NamedTuple):
    """A successful response: the schema of its body (None if there is no body), and its headers.

    has_location    Location
    is_dated        Last-Modified and Cache-Control, in versions that have them
    is_tagged       ETag and Cache-Control
    is_revalidated  Cache-Control
    has_position    Placement-Changes-After
    has_lines       no header of its own: a client may also get the body as lines
    """

    schema: dict | None = None
    has_location: bool = False
    is_dated: bool = False
    is_tagged: bool = False
    is_revalidated: bool = False
    has_lines: bool = False
    has_position: bool = False


class Operation(NamedTuple):
    """An operation: its name, purpose, input, answers and refusals.

    name         the operationId, from which generated clients make the name of a function
    summary      a sentence for the users of the API
    description  more sentences, if needed; paragraphs are separated by an empty line

    Functions of `since`, which says whether a version has a behaviour:

    answers      {status: Answer}
    body, query  the validator of what is sent; None if nothing is sent

    `refusals` are those of the handler, not those of the layers around it. `path` is {variable of
    the path: its schema}, for those variables that do not accept every string.
    """

    name: str
    summary: str
    answers: Callable
    description: str = ""
    body: Callable | None = None
    query: Callable | None = None
    path: Mapping | None = None
    refusals: Sequence[Refusal] = ()


def constantly(value):
    """Return a function of `since` whose value is the same in all versions."""
    return lambda since: value


_same_in_all_versions = constantly({})


def shows(schema, flags=_same_in_all_versions):
    """Return the `answers` of an Operation: a 200 that is_dated.

    `schema` is a function of schemas/, and `flags` a function of version_flags.py that returns the
    arguments of `schema` in a version.
    """
    return lambda since: {200: Answer(schema(**flags(since)).schema, is_dated=True)}


def reports(validator, has_lines=False):
    """Return the `answers` of an Operation: a 200 that caches must revalidate.

    All versions share the schema of the validator.
    """
    return constantly({200: Answer(validator.schema, is_revalidated=True, has_lines=has_lines)})


def with_etag(validator, **others):
    """Return the `answers` of an Operation: 200, and 304 for a client that has the content already.

    All versions share the schema of the validator. `others` are attributes of the Answer.
    """
    answer = Answer(validator.schema, is_tagged=True, **others)
    return constantly({200: answer, 304: answer._replace(schema=None, has_lines=False)})


nothing = constantly({204: Answer()})
