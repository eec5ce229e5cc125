"""GET /operator/service."""

import functools

from placement.schemas import common, validation
from placement.schemas.annotations import described, titled


@functools.cache
def query():
    """Return the validator of a query without parameters."""
    return validation.of_query(common.record({}))


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/service."""
    properties = {
        "format": common.FORMAT,
        "release": described("The release of the service.", common.TEXT),
        "max_version": described("The newest microversion that it speaks.", common.TEXT),
        "database": described(
            "mysql (also for MariaDB), postgresql or sqlite.", common.TEXT
        ),
        "history_days": described(
            "For how many days changes are kept; 0 if they are not recorded.", common.COUNT
        ),
        "last_audit": described(
            "The last audit by placement-manage; null if there was none.",
            {"anyOf": [_last_audit(), {"type": "null"}]},
        ),
    }
    return validation.of_body(
        titled("Service", common.open_record(properties, required=properties))
    )


def _last_audit():
    moment = {"type": "string", "format": "date-time"}
    properties = {
        "finished_at": described("When it finished, in UTC.", moment),
        "faults": described("How many faults it found.", common.COUNT),
        "facts": described("How many facts it found.", common.COUNT),
    }
    return titled("LastAudit", common.open_record(properties, required=properties))
