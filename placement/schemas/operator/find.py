"""GET /operator/find, and POST /operator/names. Source: doc/how-to/find.rst."""

import functools

from placement import constants
from placement.schemas import meanings, parts, validation
from placement.schemas.annotations import described, titled

# The longest name that anything can have.
_TEXT = {"type": "string", "minLength": 1, "maxLength": constants.MAX_NAME}
MOST_IDS = 10_000


@functools.cache
def query():
    """Return the validator of a query with the text to look for."""
    return validation.of_query(parts.record({"q": _TEXT}, required=["q"]))


@functools.cache
def no_query():
    """Return the validator of a query without parameters."""
    return validation.of_query(parts.record({}))


@functools.cache
def ids():
    """Return the validator of the UUIDs whose names are asked for."""
    items = {"type": "string", "maxLength": constants.MAX_NAME}
    properties = {
        "ids": described(
            "UUIDs of aggregates, projects, users and consumers.",
            {"type": "array", "items": items, "maxItems": MOST_IDS},
        )
    }
    return validation.of_body(titled("IdsToName", parts.record(properties, required=properties)))


@functools.cache
def named():
    """Return the validator of the answer: names by UUID."""
    properties = {
        "format": parts.FORMAT,
        "names": described(
            "The names, by UUID; a UUID without a name is left out.",
            parts.by_key(parts.TEXT),
        ),
    }
    schema = parts.open_record(properties, required=properties)
    return validation.of_body(titled("GivenNames", schema))


@functools.cache
def found(kinds):
    """Return the validator of the answer; `kinds` are the names of what can be found."""
    kind = {"type": "string", "enum": list(kinds)}
    host = {
        "uuid": described(meanings.UUID, parts.UUID),
        "name": described(meanings.NAME, parts.TEXT),
    }
    more = {
        "resources": described(
            "What a consumer uses in the tree of the host.", parts.by_key(parts.COUNT)
        ),
        "disabled": described(meanings.DISABLED, {"type": "boolean"}),
    }
    host_of_found = titled("HostOfFound", parts.open_record(host | more, required=host))
    hosts = {"type": "array", "items": host_of_found}
    always = {
        "kind": described("What was found; a host is a root provider.", kind),
        "id": described("Its UUID, or the name of a trait, class or project.", parts.TEXT),
        "name": described(
            "The name of a provider, or the one that the operator has given; null if there is "
            "none.",
            parts.TEXT_OR_NULL,
        ),
    }
    sometimes = {
        "hosts": described(
            "For a provider, the root of its tree; for a consumer, the hosts that it uses.", hosts
        ),
        "project_id": described(meanings.PROJECT, parts.TEXT),
        "user_id": described(meanings.USER, parts.TEXT),
        "consumer_type": described(meanings.CONSUMER_TYPE_SHOWN, parts.TEXT),
    }
    items = titled("FoundByName", parts.open_record(always | sometimes, required=always))
    properties = {
        "format": parts.FORMAT,
        "q": described("The text, as it was sent.", parts.TEXT),
        "found": described(
            "What was found, at most ten of each kind, hosts first.",
            {"type": "array", "items": items},
        ),
        "more": described(
            "The kinds that have more matches.", {"type": "array", "items": kind}
        ),
        "notes": described(
            "In words for people: that nothing was found, or which kinds have more matches.",
            {"type": "array", "items": parts.TEXT},
        ),
    }
    schema = parts.open_record(properties, required=properties)
    return validation.of_body(titled("FoundByNames", schema))
