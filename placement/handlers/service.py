"""GET /operator/service."""

from placement import distribution, microversion, schemas
from placement.handlers.checks import answer_is_json, authorized
from placement.handlers.response import respond

QUERY = schemas.service.query()


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/service: which release answers, up to which version of the API, on what.

    `database` is mysql (which MariaDB is, too), postgresql or sqlite.
    """
    req.query_matching(QUERY)
    return respond(
        200,
        {
            "format": 1,
            "release": distribution.version(),
            "max_version": microversion.VERSIONS[-1],
            "database": req.database.kind,
        },
    )
