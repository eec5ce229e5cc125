"""GET /operator/capacity/history."""

from oslo_utils import timeutils

from placement import schemas
from placement.documents import capacity_history as history_document
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import answer_is_json, authorized
from placement.objects import capacity_report
from placement.objects.capacity_history import past_capacity
from placement.queries import duration

QUERY = schemas.operator.capacity_history.query(past_capacity.GROUPINGS, duration.PATTERN)


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/capacity/history.

    Source: doc/how-to/capacity.rst, "History".
    """
    query = req.query_matching(QUERY)
    hours = duration.hours(query.get("since", schemas.operator.capacity_history.SINCE))
    step = duration.hours(query["step"]) if "step" in query else None
    step = past_capacity.step_for(hours, step)
    with req.reports() as conn:
        history = past_capacity.read(conn, hours, step, timeutils.utcnow(with_timezone=True))
    by = query.get("by", capacity_report.BY_CLASS)
    return respond(200, history_document.document(history, by))
