"""GET /operator/fit."""

from typing import NamedTuple

from placement import cost, schemas
from placement.candidates import fit, spelling
from placement.candidates.query import CandidateQuery
from placement.handlers import (
    allocation_candidate,
    candidate_query,
    explained,
    fit_query,
    unversioned,
)
from placement.handlers.checks import answer_is_json, authorized
from placement.handlers.response import respond
from placement.microversion import Since


def show_query(since):
    """The query for candidates of a version, without a limit, and with what is thought of."""
    return schemas.fit.query(allocation_candidate.list_all_query(since))


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/fit: how often a request could be claimed, and what stops it.

    The query is that of GET /allocation_candidates, in the microversion of the header or, without
    one, the newest; it has no limit. Claims are counted one after the other, each taking the first
    candidate, until there is none. Nothing is claimed.

    Raises: BadQuery (UNDEFINED, QUERY_DUPLICATE_KEY, QUERY_BAD_VALUE, QUERY_MISSING_VALUE),
        UnknownTraits, UnknownResourceClass, NoSuchHost, FitTooLong.
    Source: doc/how-to/fit.rst.
    """
    asked = question(req, unversioned.since_of(req))
    with cost.stage("search"), spelling.corrected(req.database):
        found = fit.count(req.database, *asked, unversioned.effort_for(req))
    return respond(200, document(req.query_string, found))


class Question(NamedTuple):
    """What is asked of `fit.count`."""

    query: CandidateQuery
    change: fit.WhatIf
    one_provider_per_tree: bool
    bound: int | None


def question(req, since):
    """Return the Question of a request, read by what `since` says of a behaviour."""
    pairs = req.query_matching(show_query(since), first_too=True)
    candidate_pairs = [pair for pair in pairs.items() if pair[0] not in fit_query.NAMES]
    query = candidate_query.parse(candidate_pairs, allocation_candidate.rules_of(since))
    bounds = pairs.getall("bound")
    return Question(
        query,
        fit_query.what_if(pairs),
        not since(Since.CANDIDATES_NESTED),
        int(bounds[0]) if bounds else None,
    )


def document(query_string, found):
    """Return the JSON of a Fit."""
    return {
        "format": 1,
        "query": query_string,
        "fit": found.fit,
        "hosts": [host._asdict() for host in found.hosts],
        "stopped_by": found.stopped_by,
        "stranded": found.stranded,
        "unknown": [explained.unknown(each) for each in found.unknown],
    }
