"""GET /operator/explanation."""

from placement import cost, errors, exception, schemas
from placement.candidates import explain, spelling
from placement.handlers import (
    allocation_candidate,
    candidate_query,
    explained,
    unversioned,
)
from placement.handlers.checks import answer_is_json, authorized
from placement.handlers.response import respond
from placement.microversion import Since

_CLOSEST = 10


def show_query(since):
    """The query for candidates of a version, with two parameters more."""
    return schemas.explanation.query(allocation_candidate.list_all_query(since))


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/explanation: why a query for allocation candidates finds none, or so few.

    The query is that of GET /allocation_candidates, in the microversion of the header or, without
    one, the newest. Names that do not exist are a part of the answer. The hosts are counted
    constraint by constraint, or only one of them is asked.

    Raises: BadQuery (UNDEFINED, QUERY_DUPLICATE_KEY, QUERY_BAD_VALUE, QUERY_MISSING_VALUE),
        NoSuchHost, ExplanationTooLong.
    Source: doc/how-to/no-valid-host.rst.
    """
    query = asked(req, unversioned.since_of(req))
    with (
        cost.stage("search"),
        spelling.corrected(req.database),
        req.database.reports() as conn,
    ):
        found = explain.explain(conn, *query, unversioned.effort_for(req))
    return respond(200, explained.document(req.query_string, found))


def asked(req, since):
    """Return what `explain` takes: a CandidateQuery, how to search, how many hosts to name, a host.

    The host is None where all are asked.
    `since` says whether the query is read as since a behaviour (of microversion.Since).
    """
    pairs = req.query_matching(show_query(since), first_too=True)
    closest = int(pairs.pop("closest", _CLOSEST))
    host = _only_host(pairs)
    query = candidate_query.parse(list(pairs.items()), allocation_candidate.rules_of(since))
    return query, not since(Since.CANDIDATES_NESTED), closest, host


def _only_host(pairs):
    """Take the host out of the pairs, a MultiDict, and return it. Raises: BadQuery."""
    hosts = pairs.getall("host")
    if len(hosts) > 1:
        raise exception.BadQuery(
            "Query parameter 'host' may be specified only once.", errors.QUERY_DUPLICATE_KEY
        )
    return pairs.pop("host", None)
