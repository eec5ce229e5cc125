"""GET and POST /operator/fit. Source: doc/how-to/fit.rst."""

import functools

from placement import constants
from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, expected, titled

# The most requests in a mix, the most claims of one request, and the most hosts to leave out.
_MOST_REQUESTS = 1000
_MOST_CLAIMS = 1_000_000
_MOST_EXCLUDED = 10_000

# How many hosts are listed by default, and at most.
TOP = 1000
MOST_TOP = 100_000
_TOP = common.number_up_to(MOST_TOP, least=0)

# A bound may be any number that has at most this many digits.
_BOUND_DIGITS = 9
MOST_BOUND = 10**_BOUND_DIGITS - 1
_BOUND = expected(
    f"a whole number from 1 to {MOST_BOUND}",
    {
        "type": "string",
        "pattern": f"^[1-9][0-9]{{0,{_BOUND_DIGITS - 1}}}$",
        "format": "single-line",
    },
)


@functools.cache
def query(candidates_query):
    """Return the validator of a query for candidates with what-ifs, bound and top, but no limit.

    `candidates_query` is the validator of a query of GET /allocation_candidates.
    """
    what_ifs = dict.fromkeys(("exclude", "ratio", "add"), common.TEXT) | {
        "bound": _BOUND,
        "top": _TOP,
    }
    return validation.of_changed_query(candidates_query, what_ifs, without=("limit",))


@functools.cache
def query_of_mix(candidates_query):
    """Return the validator of one query in a mix: a query for candidates, without a limit."""
    return validation.of_changed_query(candidates_query, {}, without=("limit",))


@functools.cache
def no_query():
    """Return the validator of a query without parameters."""
    return validation.of_query(common.record({}))


@functools.cache
def mixed_request():
    """Return the validator of one request in a mix, which the command uses for lines of a file."""
    return validation.of_body(_mixed_request())


@functools.cache
def mix():
    """Return the validator of a body: requests that have to fit together, and excluded hosts."""
    requests = {
        "type": "array",
        "items": _mixed_request(),
        "minItems": 1,
        "maxItems": _MOST_REQUESTS,
    }
    excluded = {
        "type": "array",
        "items": common.TEXT | {"minLength": 1},
        "maxItems": _MOST_EXCLUDED,
    }
    properties = {
        "requests": described("The requests.", requests),
        "exclude": described("Hosts to leave out, by UUID or name.", excluded),
    }
    return validation.of_body(titled("Mix", common.record(properties, required=["requests"])))


def _mixed_request():
    properties = {
        "name": described(
            "What to call it in the answer.",
            common.TEXT | {"minLength": 1, "maxLength": constants.MAX_NAME},
        ),
        "query": described(
            "A query of GET /allocation_candidates, without a limit.",
            common.TEXT | {"maxLength": constants.MAX_QUERY_CHARACTERS},
        ),
        "count": described(
            "How often the request is to be claimed.",
            {"type": "integer", "minimum": 1, "maximum": _MOST_CLAIMS},
        ),
    }
    return titled("MixedRequest", common.record(properties, required=properties))


@functools.cache
def mix_shown():
    """Return the validator of the answer about a mix."""
    request = {
        "name": described("The name of the request, as it was sent.", common.TEXT),
        "query": described(meanings.QUERY, common.TEXT),
        "count": described("How often the request was to be claimed.", common.COUNT),
        "fit": described("How often the request could be claimed.", common.COUNT),
        "claim_order": described(
            "The place of this request in the order of claiming: 1 for the first, which takes the "
            "largest share of a class, 2 for the next, and so on.",
            common.COUNT,
        ),
        "stopped_by": described(
            "How many hosts each class or constraint stops, named as in an explanation; empty if "
            "nothing was left to claim.",
            common.by_key(common.COUNT),
        ),
    }
    mixed = common.open_record(request, required=request)
    properties = {
        "format": common.FORMAT,
        "all": described("Whether all requests could be claimed.", {"type": "boolean"}),
        "requests": described(
            "The requests, in the order in which they were sent.",
            {"type": "array", "items": titled("MixedFit", mixed)},
        ),
        "reasons": described(meanings.STOPS_IN_WORDS, common.by_key(common.TEXT)),
    }
    return validation.of_body(titled("MixFit", common.open_record(properties, required=properties)))


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/fit."""
    fit = described("How often the request could be claimed.", common.COUNT)
    host = {
        "uuid": described(
            "The UUID of the host; null for a host that add= adds.", common.UUID_OR_NULL
        ),
        "name": described(
            "The name of the host; for a host that add= adds, the name of the host that it is "
            "like, and a number.",
            common.TEXT,
        ),
        "fit": fit,
        "stopped_by": described(
            "What keeps the request from fitting once more: a class, or a constraint, named as in "
            "an explanation; null if the bound was reached.",
            common.TEXT_OR_NULL,
        ),
    }
    properties = {
        "format": common.FORMAT,
        "query": described(meanings.QUERY, common.TEXT),
        "fit": fit,
        "hosts_by_fit": described(
            "The number of hosts, by how often the request could be claimed on each of them. "
            "Hosts where it could not be claimed are left out.",
            common.by_key(common.COUNT),
        ),
        "hosts": described(
            "As many hosts as top= asks for; those where the request could be claimed most often "
            "come first.",
            {"type": "array", "items": titled("HostFit", common.of_host(host))},
        ),
        "stopped_by": described(
            "How many hosts each class or constraint stops, as in hosts.",
            common.by_key(common.COUNT),
        ),
        "reasons": described(meanings.STOPS_IN_WORDS, common.by_key(common.TEXT)),
        "stranded": described(
            "What is left of each class on hosts that only lack room.", common.by_key(common.COUNT)
        ),
        "unknown": described(
            meanings.UNKNOWN, {"type": "array", "items": common.unknown_name()}
        ),
    }
    return validation.of_body(titled("Fit", common.open_record(properties, required=properties)))
