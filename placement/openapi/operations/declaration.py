"""The declaration of an operation, and the usual answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from placement.openapi.refusals import Refusal


class Answer(NamedTuple):
    """A successful response: its body, if `schema` is not None, and which headers it has.

    `is_dated` is for Last-Modified and Cache-Control, where the version has them; `is_tagged` for
    ETag and Cache-Control; `is_revalidated` for Cache-Control alone. `has_lines` says that a client
    may also get it as lines; `has_position` is for Placement-Changes-After.
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

    name         the operationId, after which generated clients name their function
    summary      a sentence for the users of the API
    description  more sentences, if needed; paragraphs are separated by an empty line

    Functions of `since`, which says whether a version has a behaviour:

    answers      {status: Answer}
    body, query  the validator of what is sent; None if nothing is sent

    `refusals` are those that no layer around the handlers makes. `path` has the schemas of those
    path variables that do not accept every text.
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
    """Return a dated 200 with the schema that `flags` (of version_flags.py) make in a version."""
    return lambda since: {200: Answer(schema(**flags(since)).schema, is_dated=True)}


def reports(schema, has_lines=False):
    """Return a 200 with a schema that all versions share; caches must revalidate the answer."""
    return constantly({200: Answer(schema.schema, is_revalidated=True, has_lines=has_lines)})


def with_etag(schema, **others):
    """Return a function from any version to its answers: 200, or 304 if the client already has it.

    `schema` is a validator; all versions share its schema. `others` are attributes of the Answer.
    """
    answer = Answer(schema.schema, is_tagged=True, **others)
    return constantly({200: answer, 304: answer._replace(schema=None, has_lines=False)})


nothing = constantly({204: Answer()})
