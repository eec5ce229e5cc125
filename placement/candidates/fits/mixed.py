"""A mix of requests that are to fit together: values; pure."""

from typing import NamedTuple

from placement.candidates.query import CandidateQuery


class MixedRequest(NamedTuple):
    """A request, and how many of it are wanted; `text` is the query string as it was sent."""

    name: str
    text: str
    query: CandidateQuery
    count: int


class Mix(NamedTuple):
    """Requests, and uuids or names of hosts to leave out."""

    requests: tuple[MixedRequest, ...]
    excluded: frozenset[str]
