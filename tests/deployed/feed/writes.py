"""Writes, what the feed must report about each of them, and how they were answered."""

import json
from typing import Any, NamedTuple


class Effect(NamedTuple):
    """What a change says about a subject (a uuid or name): as much of its state as a writer knows.

    The state is JSON text, "null" if the subject is gone.
    """

    kind: str
    subject: str
    state: str


def effect(kind, subject, state):
    return Effect(kind, subject, json.dumps(state, sort_keys=True))


def effect_of(change):
    """Return the Effect of a change in the feed."""
    kind, after = change["kind"], change["after"]
    essence = None if after is None else _ESSENCES[kind](after)
    return effect(kind, change["uuid"] or change["name"], essence)


_ESSENCES = {
    "provider": lambda after: [after["name"], after["parent_provider_uuid"]],
    "inventories": lambda after: {name: each["max_unit"] for name, each in after.items()},
    "traits": sorted,
    "aggregates": sorted,
    "allocations": lambda after: {
        provider: each["resources"] for provider, each in after["allocations"].items()
    },
    "resource_class": lambda after: after["name"],
    "trait": lambda after: after["name"],
}


class Request(NamedTuple):
    """What a writer sends. A read has no effects, and `body` is sent as JSON."""

    method: str
    path: str
    body: Any = None
    effects: tuple = ()


class Answer(NamedTuple):
    """All but the server are None if there was no answer."""

    server: str
    status: int | None = None
    request_id: str | None = None
    document: Any = None

    @property
    def is_acknowledged(self):
        return self.status is not None and self.status < 400

    @property
    def is_refused(self):
        """Whether the answer says that nothing was stored."""
        return self.status is not None and 400 <= self.status < 500


class Outcome(NamedTuple):
    request: Request
    answer: Answer


def is_mistaken(request, answer):
    """Whether openstack-placement says that a class already exists, though every name is new.

    On PostgreSQL, it answers this instead of 201 where two clients create classes at once, and
    stores only one of them.
    """
    is_new_class = request.method == "PUT" and request.path.startswith("/resource_classes/")
    return is_new_class and answer.status == 204
