"""GET /operator/service."""

from placement import distribution, microversion, schemas
from placement.documents import FORMAT
from placement.handlers.answering.response import respond
from placement.handlers.reading.checks import answer_is_json, authorized

QUERY = schemas.operator.service.query()


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/service."""
    req.query_matching(QUERY)
    return respond(
        200,
        FORMAT
        | {
            "release": distribution.version(),
            "max_version": microversion.VERSIONS[-1],
            "database": req.database.kind,
        },
    )
