"""GET /operator/release. Source: doc/how-to/planning.rst."""

import functools

from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

# How many hosts are listed by default, and at most.
TOP = 10
MOST_TOP = 1000
_TOP = common.number_up_to(MOST_TOP, least=1)


@functools.cache
def query(candidates_query):
    """Return the validator of a query for candidates with `of` and `top` but no limit."""
    also = {"of": common.TEXT | {"minLength": 1}, "top": _TOP}
    return validation.of_changed_query(candidates_query, also, without=("limit",))


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/release."""
    consumer = titled("OneToGo", common.open_record(common.CONSUMER, required=common.CONSUMER))
    consumers = {"type": "array", "items": consumer}
    host = {
        "uuid": described(meanings.UUID, common.UUID),
        "name": described(meanings.NAME, common.TEXT),
        "consumers": described(
            "The fewest consumers whose removal would make room on the host.", consumers
        ),
    }
    properties = {
        "format": common.FORMAT,
        "query": described(meanings.QUERY, common.TEXT),
        "fits": described("On how many hosts the request already fits.", common.COUNT),
        "hosts": described(
            "Hosts where the request does not fit; those where the fewest consumers must go come "
            "first.",
            {"type": "array", "items": titled("HostRelease", common.of_host(host))},
        ),
        "complete": described(
            "False if the search ended before it found as many hosts as top= asks for. The listed "
            "hosts are still those where the fewest consumers must go.",
            {"type": "boolean"},
        ),
        "summary": described(meanings.SUMMARY, common.TEXT),
    }
    return validation.of_body(
        titled("Release", common.open_record(properties, required=properties))
    )
