"""GET /operator/flavors."""

from placement import cost, schemas
from placement.documents import flavors as flavors_document
from placement.flavors import counting, flavor_file
from placement.handlers.answering.response import respond
from placement.handlers.operator.one_at_a_time import one_at_a_time
from placement.handlers.requests.preconditions import answer_is_json, authorized

QUERY = schemas.operator.flavors.query()

_NO_FILE = "No file of flavors is configured: [metrics] flavors is not set."


@answer_is_json
@authorized("placement:operator:read")
@one_at_a_time
def show(req):
    """GET /operator/flavors.

    Source: doc/how-to/flavors.rst.
    """
    after = req.query_matching(QUERY).get("after")
    path = req.conf.metrics.flavors
    if path is None:
        return respond(200, flavors_document.fault(_NO_FILE))
    try:
        flavors = flavor_file.load(path)
    except flavor_file.UnreadableFlavors as error:
        return respond(200, flavors_document.fault(str(error)))
    with cost.stage("search"), req.reports() as conn:
        remaining = flavor_file.after(after, flavors)
        most = req.conf.placement.max_search_effort
        found = counting.count_some(conn, remaining, most, req.check_abort)
    return respond(200, flavors_document.document(len(flavors), remaining, found))
