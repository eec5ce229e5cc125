"""GET /operator/survival. Source: doc/how-to/planning.rst."""

import functools

from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled


@functools.cache
def query(groupings):
    """Return the validator of a query; `groupings` says what may be lost at once."""
    return validation.of_query(common.record({"by": {"type": "string", "enum": list(groupings)}}))


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/survival."""
    lost = {
        "uuid": described("The UUID of the host, or of the aggregate.", common.UUID),
        "name": described(
            "The name of the host; null for an aggregate, which has none.", common.TEXT_OR_NULL
        ),
        "consumers": described("The number of consumers on it.", common.COUNT),
        "left": described(
            "The number of these consumers that would find no place elsewhere.", common.COUNT
        ),
    }
    properties = {
        "format": common.FORMAT,
        "by": described("What is lost: host or aggregate.", common.TEXT),
        "all": described("How many hosts, or aggregates with hosts, there are.", common.COUNT),
        "lost": described(
            "The hosts or aggregates whose consumers would not all find a place elsewhere, worst "
            "first.",
            {"type": "array", "items": titled("UnaffordableLoss", common.of_host(lost))},
        ),
        "summary": described(meanings.SUMMARY, common.TEXT),
        "notes": described(meanings.NOTES, {"type": "array", "items": common.TEXT}),
    }
    schema = common.open_record(properties, required=properties)
    return validation.of_body(titled("Survival", schema))
