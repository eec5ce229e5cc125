"""The query string of GET /operator/release -> ReleaseQuery; pure.

Source: doc/how-to/planning.rst.
"""

from typing import NamedTuple

from placement import errors, exception, schemas
from placement.candidates.query import CandidateQuery
from placement.queries import candidate_query

_NAMES = ("of", "top")


class ReleaseQuery(NamedTuple):
    """What is asked of `release.find`."""

    query: CandidateQuery
    one_provider_per_tree: bool
    owner: str | None
    top: int


def accepted(since):
    """Return the validator: a version's query for candidates, without limit, and who may go."""
    return schemas.operator.release.query(candidate_query.accepted(since))


def question(pairs, since):
    """Return the ReleaseQuery of an accepted MultiDict. Raises: BadQuery."""
    candidate_pairs = [pair for pair in pairs.items() if pair[0] not in _NAMES]
    of = pairs.getall("of")
    if len(of) > 1:
        raise exception.BadQuery(
            "Query parameter 'of' may be specified only once.", errors.QUERY_DUPLICATE_KEY
        )
    return ReleaseQuery(
        candidate_query.parse(candidate_pairs, candidate_query.rules_of(since)),
        candidate_query.one_provider_per_tree(since),
        of[0] if of else None,
        int((pairs.getall("top") or [schemas.operator.release.TOP])[0]),
    )
