"""/operator/audit. Source: doc/how-to/audit.rst."""

import functools

from placement import constants
from placement.schemas import common, validation
from placement.schemas.annotations import described, titled

_BOOLEAN = {"type": "boolean"}


@functools.cache
def query():
    """Return the validator of a query without parameters."""
    return validation.of_query(common.record({}))


@functools.cache
def repair(names):
    """Return the validator of a body that names the checks whose findings to repair.

    The checks are some of `names`. A body that names none asks for all of these checks.
    """
    wanted = {
        "type": "array",
        "items": {"type": "string", "enum": list(names)},
        "minItems": 1,
        "maxItems": len(names),
        "uniqueItems": True,
    }
    meaning = "Names of checks; by default, all whose findings can be repaired."
    properties = {"repair": described(meaning, wanted)}
    return validation.of_body(titled("Repair", common.record(properties)))


@functools.cache
def findings():
    """Return the validator of the answer: what each check found."""
    check = {
        "check": described("The name of the check.", common.TEXT),
        "question": described("What the check looks for.", common.TEXT),
        "is_fault": described("Whether the findings are faults.", _BOOLEAN),
        "meaning": described(
            "What the findings mean, if they are not faults; null for faults.",
            common.TEXT_OR_NULL,
        ),
        "is_repairable": described(
            "Whether the findings can be repaired while the service runs.", _BOOLEAN
        ),
        "count": described("How many findings there are.", common.COUNT),
        "examples": described(
            f"The first {constants.MOST_EXAMPLES} findings.",
            {
                "type": "array",
                "items": common.by_key({"type": ["string", "integer", "null"]}),
                "maxItems": constants.MOST_EXAMPLES,
            },
        ),
    }
    audit_check = titled("AuditCheck", common.open_record(check, required=check))
    checks = {"type": "array", "items": audit_check}
    properties = {
        "format": common.FORMAT,
        "is_sound": described("Whether no check found a fault.", _BOOLEAN),
        "checks": described("What each check found.", checks),
    }
    return validation.of_body(titled("Audit", common.open_record(properties, required=properties)))


@functools.cache
def repaired():
    """Return the validator of the answer: how many findings were repaired, by check."""
    properties = {
        "format": common.FORMAT,
        "repaired": described(
            "How many findings were repaired, by check.", common.by_key(common.COUNT)
        ),
    }
    schema = common.open_record(properties, required=properties)
    return validation.of_body(titled("Repaired", schema))
