"""GET /operator/survival."""

from placement import cost, schemas
from placement.candidates.plans import survival
from placement.documents import plans as plans_document
from placement.handlers.answering.response import respond
from placement.handlers.operator import searching
from placement.handlers.operator.one_at_a_time import one_at_a_time
from placement.handlers.requests.preconditions import answer_is_json, authorized
from placement.queries import query_string

QUERY = schemas.operator.survival.query(survival.GROUPINGS)


@answer_is_json
@authorized("placement:operator:read")
@one_at_a_time
def show(req):
    """GET /operator/survival.

    Source: doc/how-to/planning.rst.
    """
    by = req.query_matching(QUERY, values=query_string.every).get("by", "host")
    effort = searching.effort_for(req)
    with req.reports() as conn:
        state = survival.read(conn, by, effort)
    # This may take a long time, so no transaction is kept open.
    with cost.stage("search"):
        answer = survival.examine(state, effort)
    return respond(200, plans_document.survival(answer))
