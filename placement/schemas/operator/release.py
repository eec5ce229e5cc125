"""GET /operator/release. Source: doc/how-to/planning.rst."""

import functools

from placement.schemas import meanings, parts, validation
from placement.schemas.annotations import described, titled

# How many hosts are listed by default, and at most.
TOP = 10
MOST_TOP = 1000
_TOP = parts.number_up_to(MOST_TOP, least=1)


@functools.cache
def query(candidates_query):
    """Return the validator of a query for candidates with `of` and `top` but no limit."""
    also = {"of": parts.TEXT | {"minLength": 1}, "top": _TOP}
    return validation.of_changed_query(candidates_query, also, without=("limit",))


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/release."""
    consumer = titled("OneToGo", parts.open_record(parts.CONSUMER, required=parts.CONSUMER))
    consumers = {"type": "array", "items": consumer}
    host = {
        "uuid": described(meanings.UUID, parts.UUID),
        "name": described(meanings.NAME, parts.TEXT),
        "consumers": described(
            "The fewest consumers whose removal would make room on the host.", consumers
        ),
    }
    properties = {
        "format": parts.FORMAT,
        "query": described(meanings.QUERY, parts.TEXT),
        "fits": described("On how many hosts the request already fits.", parts.COUNT),
        "hosts": described(
            "Hosts where the request does not fit; those where the fewest consumers must go come "
            "first.",
            {"type": "array", "items": titled("HostRelease", parts.of_host(host))},
        ),
        "complete": described(
            "False if the search ended before it found as many hosts as top= asks for. The listed "
            "hosts are still those where the fewest consumers must go.",
            {"type": "boolean"},
        ),
        "summary": described(meanings.SUMMARY, parts.TEXT),
    }
    return validation.of_body(titled("Release", parts.open_record(properties, required=properties)))
