"""GET and POST /operator/audit."""

from placement import schemas
from placement.conf import opts
from placement.documents import audit as audit_document
from placement.handlers.answering.response import respond
from placement.handlers.operator.one_at_a_time import one_at_a_time
from placement.handlers.requests.preconditions import answer_is_json, authorized, body_is_json
from placement.objects import ledger_audit

NO_QUERY = schemas.operator.audit.query()
REPAIR_BODY = schemas.operator.audit.repair(ledger_audit.REPAIRABLE)


@answer_is_json
@authorized("placement:operator:read")
@one_at_a_time
def audit(req):
    """GET /operator/audit.

    Source: doc/how-to/audit.rst.
    """
    req.query_matching(NO_QUERY)
    with req.reports() as conn:
        findings = ledger_audit.audit(conn)
    return respond(200, audit_document.audit(findings))


@body_is_json
@authorized("placement:operator:repair")
def repair(req):
    """POST /operator/audit.

    Body: {"repair"?: [name, ...]}.
    Source: doc/how-to/audit.rst.
    """
    req.query_matching(NO_QUERY)
    body = req.json_matching(REPAIR_BODY)
    owner = opts.incomplete_consumer_owner(req.conf)
    names = body.get("repair", ledger_audit.REPAIRABLE)
    # Allocations without a consumer get a consumer with this project and user.
    repaired = ledger_audit.repair(req.database, names, owner)
    return respond(200, audit_document.repaired(repaired))
