"""POST /operator/query."""

from placement import schemas
from placement.documents import query as query_document
from placement.flavors import pasted
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import authorized, body_is_json
from placement.queries import query_form

NO_QUERY = schemas.operator.query.query()
BODY = schemas.operator.query.given()


@body_is_json
@authorized("placement:operator:read")
def translate(req):
    """POST /operator/query: a query string as a form, or a form or pasted text as a query string.

    Body: {"query": str}, {"form": form} or {"text": str}.
    Source: doc/reference/api/operator.rst.
    """
    req.query_matching(NO_QUERY)
    body = req.json_matching(BODY)
    return respond(200, query_document.document(*_read(body)))


def _read(body):
    """Return the CandidateQuery, what was ignored, and what is left to nova.

    The last two are lists of KEY=VALUE. Raises: BadQuery.
    """
    if "text" not in body:
        return *query_form.read(body), []
    found = pasted.read(body["text"])
    query, ignored = query_form.read({"query": found.query})
    return query, found.ignored + ignored, found.left_to_nova
