"""The query string of GET /operator/explanation -> ExplanationQuery; pure.

Source: doc/how-to/no-valid-host.rst.
"""

from typing import NamedTuple

from placement import schemas
from placement.candidates.query import CandidateQuery
from placement.microversion import version_flags
from placement.queries import candidate_query, grammar


class ExplanationQuery(NamedTuple):
    """The arguments of `explain.explain` that a query gives.

    closest  how many hosts to name
    host     the only host to examine; None for all hosts
    """

    query: CandidateQuery
    one_provider_per_tree: bool
    closest: int
    host: str | None


def validator(since):
    """Return the validator: a version's query for candidates, with `closest` and `host`."""
    return schemas.operator.explanation.query(candidate_query.validator(since))


def read(pairs, since):
    """Return the ExplanationQuery of an accepted MultiDict. Raises: BadQuery."""
    return ExplanationQuery(
        candidate_query.read(pairs, since),
        version_flags.one_provider_per_tree(since),
        grammar.number(pairs.getall("closest"), schemas.operator.explanation.CLOSEST),
        grammar.only_value("host", pairs.getall("host")),
    )
