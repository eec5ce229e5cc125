"""GET and POST /operator/fit."""

from placement.candidates.fits import fit, mix
from placement.documents import fit as fit_document
from placement.handlers.answering.response import respond
from placement.handlers.operator import searching
from placement.handlers.operator.one_at_a_time import one_at_a_time
from placement.handlers.requests.preconditions import answer_is_json, authorized, body_is_json
from placement.microversion import version_flags
from placement.queries import fit_query, mix_query, query_string


@answer_is_json
@authorized("placement:operator:read")
@one_at_a_time
def show(req):
    """GET /operator/fit.

    Source: doc/how-to/fit.rst.
    """
    since = searching.since_of(req)
    pairs = req.query_matching(fit_query.validator(since), values=query_string.first_and_last)
    # The fields of `question` are the arguments that count() takes between conn and the effort.
    question = fit_query.read(pairs, since)
    with searching.connection(req) as conn:
        found = fit.count(conn, *question, searching.effort_for(req))
    return respond(200, fit_document.document(req.query_string, found))


@body_is_json
@authorized("placement:operator:read")
@one_at_a_time
def show_mix(req):
    """POST /operator/fit.

    Body: {"requests": [{"name": str, "query": str, "count": int}, ...], "exclude"?: [host, ...]}.
    Source: doc/how-to/fit.rst.
    """
    since = searching.since_of(req)
    req.query_matching(mix_query.NO_QUERY)
    question = mix_query.read(req.json_matching(mix_query.BODY), since, req.comparable)
    with searching.connection(req) as conn:
        one_per_tree = version_flags.one_provider_per_tree(since)
        found = mix.count(conn, question, one_per_tree, searching.effort_for(req))
    return respond(200, fit_document.mix(question, found))
