"""The query string of GET /operator/explanation -> ExplanationQuery; pure.

Source: doc/how-to/no-valid-host.rst.
"""

from typing import NamedTuple

from placement import errors, exception, schemas
from placement.candidates.query import CandidateQuery
from placement.queries import candidate_query


class ExplanationQuery(NamedTuple):
    """What is asked of `explain.explain`.

    closest  how many hosts to name
    host     the only one to examine; None for all hosts
    """

    query: CandidateQuery
    one_provider_per_tree: bool
    closest: int
    host: str | None


def accepted(since):
    """Return the validator: a version's query for candidates, with two more parameters."""
    return schemas.operator.explanation.query(candidate_query.accepted(since))


def question(pairs, since):
    """Return the ExplanationQuery of an accepted MultiDict. Raises: BadQuery."""
    candidate_pairs = [pair for pair in pairs.items() if pair[0] not in ("closest", "host")]
    return ExplanationQuery(
        candidate_query.parse(candidate_pairs, candidate_query.rules_of(since)),
        candidate_query.one_provider_per_tree(since),
        int((pairs.getall("closest") or [schemas.operator.explanation.CLOSEST])[0]),
        _only_host(pairs.getall("host")),
    )


def _only_host(hosts):
    if len(hosts) > 1:
        raise exception.BadQuery(
            "Query parameter 'host' may be specified only once.", errors.QUERY_DUPLICATE_KEY
        )
    return hosts[0] if hosts else None
