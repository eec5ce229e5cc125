"""GET /operator/service."""

from placement import distribution, microversion, schemas
from placement.documents import FORMAT
from placement.documents import audit as audit_document
from placement.handlers.answering.response import respond
from placement.handlers.requests.preconditions import answer_is_json, authorized
from placement.objects import ledger_audit

QUERY = schemas.operator.service.query()


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/service."""
    req.query_matching(QUERY)
    with req.reader() as conn:
        last_audit = ledger_audit.find_last(conn)
    return respond(
        200,
        FORMAT
        | {
            "release": distribution.version(),
            "max_version": microversion.VERSIONS[-1],
            "database": req.database.kind,
            "history_days": req.conf.operator.history_days,
            "last_audit": audit_document.last(last_audit),
        },
    )
