"""GET /operator/find, and POST /operator/names."""

from placement import schemas
from placement.documents import find as find_document
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import answer_is_json, authorized, body_is_json
from placement.objects.find_by_name import matches

QUERY = schemas.operator.find.query()
NO_QUERY = schemas.operator.find.no_query()
IDS = schemas.operator.find.ids()


@answer_is_json
@authorized("placement:operator:read")
def find(req):
    """GET /operator/find.

    Source: doc/how-to/find.rst.
    """
    text = req.query_matching(QUERY)["q"]
    with req.reports() as conn:
        found = matches(conn, text, req.given_names)
    return respond(200, find_document.document(text, found))


@body_is_json
@authorized("placement:operator:read")
def names(req):
    """POST /operator/names: the names that the operator has given to UUIDs.

    Body: {"ids": [str, ...]}.
    Source: doc/how-to/find.rst.
    """
    req.query_matching(NO_QUERY)
    ids = req.json_matching(IDS)["ids"]
    return respond(200, find_document.names(req.given_names.of(ids)))
