"""GET /operator/find, and POST /operator/names. Source: doc/how-to/find.rst."""

import functools

from placement import constants
from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

# The text to look for, which is at most as long as the longest name that anything can have.
_TEXT = {"type": "string", "minLength": 1, "maxLength": constants.MAX_NAME}
MOST_IDS = 10_000


@functools.cache
def query():
    """Return the validator of a query with the text to look for."""
    return validation.of_query(common.record({"q": _TEXT}, required=["q"]))


@functools.cache
def no_query():
    """Return the validator of a query without parameters."""
    return validation.of_query(common.record({}))


@functools.cache
def ids():
    """Return the validator of a body with the UUIDs to name."""
    items = {"type": "string", "maxLength": constants.MAX_NAME}
    properties = {
        "ids": described(
            "UUIDs of aggregates, projects, users and consumers.",
            {"type": "array", "items": items, "maxItems": MOST_IDS},
        )
    }
    return validation.of_body(titled("IdsToName", common.record(properties, required=properties)))


@functools.cache
def named():
    """Return the validator of the answer: names by UUID."""
    properties = {
        "format": common.FORMAT,
        "names": described(
            "The names, by UUID; a UUID without a name is left out.",
            common.by_key(common.TEXT),
        ),
    }
    schema = common.open_record(properties, required=properties)
    return validation.of_body(titled("GivenNames", schema))


@functools.cache
def found(kinds):
    """Return the validator of the answer; `kinds` are the names of what can be found."""
    kind = {"type": "string", "enum": list(kinds)}
    host = {
        "uuid": described(meanings.UUID, common.UUID),
        "name": described(meanings.NAME, common.TEXT),
    }
    if_known = {
        "resources": described(
            "What a consumer uses in the tree of the host.", common.by_key(common.COUNT)
        ),
        "disabled": described(meanings.DISABLED, {"type": "boolean"}),
    }
    host_of_found = titled("HostOfFound", common.open_record(host | if_known, required=host))
    hosts = {"type": "array", "items": host_of_found}
    always = {
        "kind": described("What was found; a host is a root provider.", kind),
        "id": described(
            "Its UUID, the id of a project, or the name of a trait or class.", common.TEXT
        ),
        "name": described(
            "The name of a provider, or the one that the operator has given; null if there is "
            "none.",
            common.TEXT_OR_NULL,
        ),
    }
    sometimes = {
        "hosts": described(
            "For a provider, the root of its tree; for a consumer, the hosts that it uses.", hosts
        ),
        "project_id": described(meanings.PROJECT, common.TEXT),
        "user_id": described(meanings.USER, common.TEXT),
        "consumer_type": described(meanings.CONSUMER_TYPE_SHOWN, common.TEXT),
    }
    items = titled("FoundByName", common.open_record(always | sometimes, required=always))
    properties = {
        "format": common.FORMAT,
        "q": described("The text, as it was sent.", common.TEXT),
        "found": described(
            "What was found, at most ten of each kind, hosts first.",
            {"type": "array", "items": items},
        ),
        "more": described(
            "The kinds that have more matches.", {"type": "array", "items": kind}
        ),
        "notes": described(
            "In words for people: that nothing was found, or which kinds have more matches.",
            {"type": "array", "items": common.TEXT},
        ),
    }
    schema = common.open_record(properties, required=properties)
    return validation.of_body(titled("FoundByNames", schema))
