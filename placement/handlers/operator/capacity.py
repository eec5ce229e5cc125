"""GET /operator/capacity."""

from placement import schemas
from placement.documents import capacity as capacity_document
from placement.handlers.answering.response import respond
from placement.handlers.reading.checks import answer_is_json, authorized
from placement.objects import capacity

QUERY = schemas.operator.capacity.query(capacity.GROUPINGS)


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/capacity.

    Source: doc/how-to/capacity.rst.
    """
    query = req.query_matching(QUERY)
    with req.reports() as conn:
        top = int(query.get("top", capacity.TOP))
        found = capacity.measure(conn, query.get("by", "class"), top)
    return respond(200, capacity_document.document(found))
