"""The body of POST /operator/fit -> Mix; pure.

Source: doc/how-to/fit.rst.
"""

from typing import NamedTuple

from webob.multidict import MultiDict

from placement import exception, schemas
from placement.candidates.query import CandidateQuery
from placement.queries import candidate_query, query_string

BODY = schemas.operator.fit.mix()
REQUEST = schemas.operator.fit.mixed_request()
NO_QUERY = schemas.operator.fit.no_query()


class MixedRequest(NamedTuple):
    """A request, and how often it is wanted; `text` is the query string as it was sent."""

    name: str
    text: str
    query: CandidateQuery
    count: int


class Mix(NamedTuple):
    """What a body asks `mix.count` to count: requests, and uuids or names of hosts to leave out."""

    requests: tuple[MixedRequest, ...]
    excluded: frozenset[str]


def read(body, since, comparable):
    """Return the Mix of an accepted body.

    comparable: a function that turns a MultiDict into one whose values the database can compare
    Raises: BadQuery, which names the request.
    """
    excluded = MultiDict(("exclude", each) for each in body.get("exclude", ()))
    return Mix(
        tuple(_request(each, since, comparable) for each in body["requests"]),
        frozenset(comparable(excluded).values()),
    )


def _request(given, since, comparable):
    """Return the MixedRequest of {"name": ..., "query": ..., "count": ...}. Raises: BadQuery."""
    name, text = given["name"], given["query"]
    try:
        pairs = query_string.of_text(text)
        query_string.check(pairs, _validator(since), values=query_string.first_and_last)
        query = candidate_query.read(comparable(pairs), since)
    except exception.BadQuery as error:
        error.prefix = f"Request {exception.legible(name)}: "
        raise
    return MixedRequest(name, text, query, given["count"])


def _validator(since):
    return schemas.operator.fit.query_of_mix(candidate_query.validator(since))
