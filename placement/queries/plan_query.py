"""The query string of a request for a plan -> EvacuationQuery; pure.

Source: doc/how-to/planning.rst.
"""

from placement import errors, exception, schemas
from placement.candidates.plans.evacuation_query import EvacuationQuery

EVACUATION = schemas.operator.evacuation.query()


def evacuation(pairs):
    """Return the EvacuationQuery of an accepted MultiDict. Raises: BadQuery."""
    hosts, aggregates = pairs.getall("host"), pairs.getall("aggregate")
    if not hosts and not aggregates:
        raise exception.BadQuery(
            "At least one host or aggregate is required.", errors.QUERY_MISSING_VALUE
        )
    return EvacuationQuery(
        hosts=frozenset(hosts),
        aggregates=frozenset(each.lower() for each in aggregates),
        keep=tuple(pairs.getall("keep")),
        same_aggregate=pairs.get("same_aggregate") == "true",
    )
