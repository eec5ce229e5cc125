"""GET /operator/evacuation."""

from placement.candidates.plans import evacuation
from placement.documents import plans as plans_document
from placement.handlers.answering.response import respond
from placement.handlers.operator import searching
from placement.handlers.operator.one_at_a_time import one_at_a_time
from placement.handlers.requests.preconditions import answer_is_json, authorized
from placement.queries import plan_query, query_string


@answer_is_json
@authorized("placement:operator:read")
@one_at_a_time
def show(req):
    """GET /operator/evacuation.

    Source: doc/how-to/planning.rst.
    """
    pairs = req.query_matching(plan_query.EVACUATION, values=query_string.every)
    question = plan_query.evacuation(pairs)
    with searching.connection(req) as conn:
        plan = evacuation.plan(conn, question, searching.effort_for(req))
    return respond(200, plans_document.evacuation(plan))
