"""What an audit found and repaired, as documents."""

from placement.documents import FORMAT, moment
from placement.objects.ledger_audit import is_sound


def audit(findings):
    """Return the document of an audit; `findings` is the list that ledger_audit.audit returns."""
    return FORMAT | {
        "is_sound": is_sound(findings),
        "checks": [
            {
                "check": finding.check.name,
                "question": finding.check.question,
                "is_fault": finding.check.is_fault,
                "meaning": finding.check.meaning,
                "is_repairable": finding.check.repair is not None,
                "count": finding.count,
                "examples": finding.examples,
            }
            for finding in findings
        ],
    }


def repaired(counts):
    """Return the document of a repair; `counts` is what ledger_audit.repair returns."""
    return FORMAT | {"repaired": counts}


def last(audited):
    """Return the document of a LastAudit; None for None."""
    if audited is None:
        return None
    return audited._asdict() | {"finished_at": moment(audited.finished_at)}
