"""GET /operator/capacity."""

from placement import schemas
from placement.documents import capacity_report as capacity_document
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import answer_is_json, authorized
from placement.objects import capacity_report, recent_capacity

QUERY = schemas.operator.capacity.query(capacity_report.GROUPINGS)


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/capacity.

    Source: doc/how-to/capacity.rst.
    """
    query = req.query_matching(QUERY)
    by = query.get("by", capacity_report.BY_CLASS)
    top = int(query.get("top", schemas.operator.capacity.TOP))
    report, age = recent_capacity.find_or_measure(req.database, by, top, req.check_abort)
    return respond(200, capacity_document.document(report, age))
