"""GET /operator/explanation."""

from placement.candidates.why import explain
from placement.documents import explanation
from placement.handlers.answering.response import respond
from placement.handlers.operator import searching
from placement.handlers.operator.one_at_a_time import one_at_a_time
from placement.handlers.requests.preconditions import answer_is_json, authorized
from placement.queries import explanation_query, query_string


@answer_is_json
@authorized("placement:operator:read")
@one_at_a_time
def show(req):
    """GET /operator/explanation.

    Source: doc/how-to/no-valid-host.rst.
    """
    since = searching.since_of(req)
    pairs = req.query_matching(explanation_query.validator(since), query_string.first_and_last)
    # The fields of `question` are the arguments that explain() takes between conn and the effort.
    question = explanation_query.read(pairs, since)
    with searching.connection(req) as conn:
        explained = explain.explain(conn, *question, searching.effort_for(req))
    return respond(200, explanation.document(req.query_string, explained))
