"""GET /operator/evacuation. Source: doc/how-to/planning.rst."""

import functools

from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, expected, titled

_PATTERN_OF_TRAITS = expected(
    "a pattern of traits, such as HW_CPU_*",
    {
        "type": "string",
        "pattern": f"^[{common.NAME_CHARACTERS}*?]+$",
        "format": "single-line",
    },
)


@functools.cache
def query():
    """Return the validator of a query that says what to empty, and how."""
    return validation.of_query(
        common.record(
            {
                "host": {"type": "string", "minLength": 1},
                "aggregate": common.UUID,
                "keep": _PATTERN_OF_TRAITS,
                "same_aggregate": {"type": "string", "enum": ["true", "false"]},
            }
        )
    )


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/evacuation."""
    properties = {
        "format": common.FORMAT,
        "possible": described(
            "Whether every consumer has a place elsewhere, all at the same time. If false, such a "
            "plan may still exist: the search is a heuristic.",
            {"type": "boolean"},
        ),
        "hosts": described("The hosts to empty.", _list_of(common.named_provider())),
        "consumers": described(
            "Every consumer on these hosts, the largest first.", _list_of(_consumer())
        ),
        "summary": described(meanings.SUMMARY, common.TEXT),
        "notes": described(meanings.NOTES, _list_of(common.TEXT)),
    }
    schema = common.open_record(properties, required=properties)
    return validation.of_body(titled("Evacuation", schema))


def _list_of(items):
    return {"type": "array", "items": items}


def _or_null(schema):
    return {"anyOf": [schema, {"type": "null"}]}


def _consumer():
    resources = {"resources": described(meanings.AMOUNTS, common.AMOUNTS)}
    amounts = titled("AmountsOfProvider", common.open_record(resources, required=resources))
    consumer = common.CONSUMER | {
        "to": described(
            "The host that the consumer would go to; null if there is no place.",
            _or_null(common.named_provider()),
        ),
        "allocations": described(
            "Everything the consumer would hold afterwards, by provider, as PUT /allocations takes "
            "it; null if there is no place.",
            _or_null(titled("PlannedAllocations", common.by_key(amounts))),
        ),
        "why": described(
            "Why there is no place, in a sentence, for the first 100 consumers without one; null "
            "for all others.",
            common.TEXT_OR_NULL,
        ),
    }
    return titled("MovedConsumer", common.open_record(consumer, required=consumer))
