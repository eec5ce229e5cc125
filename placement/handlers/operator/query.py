"""POST /operator/query."""

from placement import schemas
from placement.documents import query as query_document
from placement.handlers.answering.response import respond
from placement.handlers.reading.checks import authorized, body_is_json
from placement.queries import query_form

NO_QUERY = schemas.operator.query.query()
BODY = schemas.operator.query.given()


@body_is_json
@authorized("placement:operator:read")
def translate(req):
    """POST /operator/query: a query string as a form, or a form as a query string.

    Body: {"query": text} or {"form": form}.
    Source: doc/reference/api/operator.rst.
    """
    req.query_matching(NO_QUERY)
    body = req.json_matching(BODY)
    query, ignored = query_form.read(body)
    return respond(200, query_document.document(query, ignored))
