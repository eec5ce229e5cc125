"""How the OpenAPI document shows a refusal: status and codes of an exception, and a sentence."""

import re
from typing import NamedTuple

from placement import constants, exception
from placement.middleware import error_statuses
from placement.objects.capacity_history import past_capacity

# A field of a sentence, such as {name} or {most:,}.
_FIELD = re.compile(r"\{(\w+)(?::,)?\}")

# What to say for exceptions whose own sentence consists only of a field, such as "{detail}".
SENTENCES = {
    exception.BadQuery: "A query parameter is malformed.",
    exception.InvalidProviderTree: "The requested parent is not possible.",
}

# What to show in place of a field of a sentence whose name would mean nothing to users.
SHOWN = {
    exception.AllocationsChanged: {"reason": "<by what>"},
    exception.CandidatesTooLarge: {"most": "<limit>"},
    exception.DuplicateProvider: {"listed": "name: <name> (or uuid: <uuid>)"},
    exception.HistoryTooLong: {"most": str(past_capacity.MOST_POINTS)},
    exception.InvalidInventoryCapacity: {
        "reason": "The reserved value is greater than (or equal to) total."
    },
    exception.InventoryInUse: {"listed": "<class names>"},
    exception.InventoryNotFound: {"wording": ""},
    exception.NoSuchAggregate: {"shown": "<uuid>"},
    exception.NoSuchConsumers: {"shown": "<name>"},
    exception.NoSuchHost: {"shown": "<host>"},
    exception.NoSuchProvider: {"shown": "<provider>"},
    exception.RequestTooLarge: {
        "most": str(constants.MOST_IN_A_REQUEST),
        "what": "amounts (or inventories)",
        "found": "more",
    },
    exception.ResourceProviderNotFound: {"wording": ""},
    exception.StandardResourceClass: {"verb": "update (or delete)"},
    exception.TooManySteps: {"most": str(past_capacity.MOST_STEPS), "least": "2h"},
    exception.TraitNotFound: {"listed": "<name>"},
    exception.UnknownResourceClass: {"shown": "<name>"},
    exception.UnknownResourceClassInQuery: {"shown": "<name>"},
    exception.UnknownTraits: {"listed": "<names>"},
    exception.UnknownTraitsInBody: {"listed": "<names>"},
}


class Refusal(NamedTuple):
    """One way in which a request can fail; `sentence` is what its answer says."""

    status: int
    codes: tuple[str, ...]
    sentence: str


def of(*kinds):
    """Return a list with a Refusal for each of these exception classes, with the class's code."""
    return [with_codes(kind, error_statuses.fault_of(kind).code) for kind in kinds]


def with_codes(kind, *codes):
    """Return the Refusal for an exception class whose exceptions may have any of these codes."""
    return Refusal(error_statuses.fault_of(kind).http_error.code, codes, _sentence(kind))


def _sentence(kind):
    """Return the sentence of an exception class, with placeholders like <name> for its fields."""

    # Return what to show in place of a {field}.
    def shown(match):
        field = match[1]
        return SHOWN.get(kind, {}).get(field, f"<{field.replace('_', ' ')}>")

    return SENTENCES.get(kind) or _FIELD.sub(shown, kind.sentence).rstrip()
