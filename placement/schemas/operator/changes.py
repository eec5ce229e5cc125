"""GET /operator/changes. Source: doc/how-to/changes.rst."""

import functools

from placement.schemas import common, validation
from placement.schemas.annotations import described, expected, titled

# The most changes in an answer.
MOST_CHANGES = 10_000

_POSITION = expected(
    "a position, a whole number of at most 18 digits",
    {"type": "string", "pattern": "^[0-9]{1,18}$", "format": "single-line"},
)
_A_MOMENT = "a moment, such as 2026-01-05 or 2026-01-05T08:30Z"
# A UUID, or a name.
_PROVIDER = {"type": "string", "minLength": 1}


@functools.cache
def query(kinds, date, duration):
    """Return the validator of a query for changes, of one of the `kinds` or of all.

    `date` is the pattern of a moment, and `duration` that of a time to look back, such as 7d.
    """
    moment = {"type": "string", "pattern": f"^{date}$", "format": "single-line"}
    past = moment | {"pattern": f"^{date}$|^{duration}$"}
    properties = {
        "after": _POSITION,
        "before": _POSITION,
        "order": {"type": "string", "enum": ["oldest", "newest"]},
        "sentences": {"type": "string", "enum": ["true", "false"]},
        "limit": common.number_up_to(MOST_CHANGES, least=1),
        "kind": {"type": "string", "enum": list(kinds)},
        "provider": _PROVIDER,
        "tree": _PROVIDER,
        "consumer": common.UUID,
        "project": common.OWNER,
        "actor": common.OWNER,
        "since": expected(f"{_A_MOMENT}, or how long to look back, such as 24h", past),
        "until": expected(_A_MOMENT, moment),
    }
    return validation.of_query(common.record(properties))


@functools.cache
def listed(kinds):
    """Return the validator of the answer.

    If the answer is in lines, each line is a change, except the last: it has only format and next.
    """
    changes = {"type": "array", "items": _recorded(kinds)}
    properties = {
        "format": common.FORMAT,
        "changes": described("The changes, oldest first unless `order` is newest.", changes),
        "next": described(
            "The position to continue after; with order=newest, the one to continue before, or "
            "null if no older changes are kept.",
            {"anyOf": [common.COUNT, {"type": "null"}]},
        ),
    }
    return validation.of_body(
        titled("Changes", common.open_record(properties, required=properties))
    )


def _recorded(kinds):
    """Return the schema of a change to one of the `kinds`."""
    caller = {
        "user_id": described("The user of the token.", common.TEXT_OR_NULL),
        "project_id": described("The project of the token.", common.TEXT_OR_NULL),
    }
    actor = titled("Actor", common.open_record(caller, required=caller))
    change = {
        "position": described(
            "The position of the change; later changes have higher positions.", common.COUNT
        ),
        "at": described(
            "When the change was written, in UTC.", {"type": "string", "format": "date-time"}
        ),
        "request_id": described(
            "The id of the request, as in its header X-OpenStack-Request-ID.", common.TEXT_OR_NULL
        ),
        "actor": described(
            "Who sent the request; null if another program wrote to the database.",
            {"anyOf": [actor, {"type": "null"}]},
        ),
        "by": described(
            "What wrote the change.", {"type": "string", "enum": ["service", "command", "database"]}
        ),
        "operation": described("Method and route, or the command.", common.TEXT_OR_NULL),
        "kind": described("What was changed.", {"type": "string", "enum": list(kinds)}),
        "uuid": described(
            "The UUID of the provider, or of the consumer if the kind is allocations; null for a "
            "class or trait.",
            common.TEXT_OR_NULL,
        ),
        "name": described("The name of the provider, class or trait.", common.TEXT_OR_NULL),
        "generations": described(
            "The new generations of the providers that advanced, by UUID.",
            common.by_key(common.PROVIDER_GENERATION),
        ),
        "before": described(
            "The state before the change; null if the subject did not exist, or if another program "
            "wrote it and its state was not known.",
            _STATE,
        ),
        "after": described("The state after the change; null if the subject was deleted.", _STATE),
        "sentence": described(
            "With sentences=true, what was done, in words for people, but not who did it.",
            {"type": "array", "items": titled("SentencePiece", _piece())},
        ),
    }
    always = [name for name in change if name != "sentence"]
    return titled("RecordedChange", common.open_record(change, required=always))


def _piece():
    properties = {
        "text": described("Some words.", common.TEXT),
        "kind": described(
            "What the words name, such as host; null if nothing.", common.TEXT_OR_NULL
        ),
        "id": described(
            "The id of what the words name; for an amount, the resource class.", common.TEXT_OR_NULL
        ),
    }
    return common.open_record(properties, required=properties)


# A state: a list for traits and aggregates, an object for the other kinds.
_STATE = {
    "anyOf": [{"type": "object"}, {"type": "array", "items": common.TEXT}, {"type": "null"}]
}
