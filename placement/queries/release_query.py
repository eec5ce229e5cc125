"""The query string of GET /operator/release -> ReleaseQuery; pure.

Source: doc/how-to/planning.rst.
"""

from typing import NamedTuple

from placement import schemas
from placement.candidates.query import CandidateQuery
from placement.microversion import version_flags
from placement.queries import candidate_query, grammar


class ReleaseQuery(NamedTuple):
    """The arguments of `release.find` that a query gives.

    owner  the type or the project of the consumers that may go; None for any
    top    how many hosts to list
    """

    query: CandidateQuery
    one_provider_per_tree: bool
    owner: str | None
    top: int


def validator(since):
    """Return the validator: a version's query for candidates, with `of` and `top` but no limit."""
    return schemas.operator.release.query(candidate_query.validator(since))


def read(pairs, since):
    """Return the ReleaseQuery of an accepted MultiDict. Raises: BadQuery."""
    owner = grammar.only_value("of", pairs.getall("of"))
    return ReleaseQuery(
        candidate_query.read(pairs, since),
        version_flags.one_provider_per_tree(since),
        owner,
        grammar.number(pairs.getall("top"), schemas.operator.release.TOP),
    )
