"""GET /operator/fit."""

from placement import cost
from placement.candidates.fits import fit
from placement.candidates.why import spelling
from placement.documents import fit as fit_document
from placement.handlers.answering.response import respond
from placement.handlers.operator import searching
from placement.handlers.reading.checks import answer_is_json, authorized
from placement.queries import fit_query


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/fit.

    Source: doc/how-to/fit.rst.
    """
    since = searching.since_of(req)
    pairs = req.query_matching(fit_query.accepted(since), first_too=True)
    question = fit_query.question(pairs, since)
    with (
        cost.stage("search"),
        spelling.corrected(req.database),
        req.reports() as conn,
    ):
        found = fit.count(conn, *question, searching.effort_for(req))
    return respond(200, fit_document.document(req.query_string, found))
