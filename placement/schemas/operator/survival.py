"""GET /operator/survival. Source: doc/how-to/planning.rst."""

import functools

from placement.schemas import meanings, parts, validation
from placement.schemas.annotations import described, titled


@functools.cache
def query(groupings):
    """Return the validator of a query; `groupings` says what may be lost at once."""
    return validation.of_query(parts.record({"by": {"type": "string", "enum": list(groupings)}}))


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/survival."""
    lost = {
        "uuid": described("The UUID of the host, or of the aggregate.", parts.UUID),
        "name": described(
            "The name of the host; null for an aggregate, which has none.", parts.TEXT_OR_NULL
        ),
        "consumers": described("The number of consumers on it.", parts.COUNT),
        "left": described(
            "The number of these consumers that would find no place elsewhere.", parts.COUNT
        ),
    }
    properties = {
        "format": parts.FORMAT,
        "by": described("What is lost: host or aggregate.", parts.TEXT),
        "all": described("How many hosts, or aggregates with hosts, there are.", parts.COUNT),
        "lost": described(
            "The hosts or aggregates whose consumers would not all find a place elsewhere, worst "
            "first.",
            {"type": "array", "items": titled("UnaffordableLoss", parts.of_host(lost))},
        ),
        "summary": described(meanings.SUMMARY, parts.TEXT),
        "notes": described(meanings.NOTES, {"type": "array", "items": parts.TEXT}),
    }
    schema = parts.open_record(properties, required=properties)
    return validation.of_body(titled("Survival", schema))
