"""GET /operator/explanation. Source: doc/how-to/no-valid-host.rst."""

import functools

from placement import constants
from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

# How many of the closest hosts are listed by default, and at most.
CLOSEST = 10
MOST_CLOSEST = 100
CLOSEST_SCHEMA = common.number_up_to(MOST_CLOSEST, least=0)

_CONSTRAINT = {
    "group": described(
        "The suffix of the request group, empty if it has none; null for the whole query.",
        common.TEXT_OR_NULL,
    ),
    "constraint": described(
        "A parameter of the query. not_member_of, forbidden and root_forbidden stand for what it "
        "excludes. together is for hosts that meet each constraint, but not all at once.",
        common.TEXT,
    ),
    "value": described("The value of the constraint in the query.", common.TEXT_OR_NULL),
    "words": described("The constraint in words, for people.", common.TEXT),
}
_PROVIDER = {
    "uuid": described(meanings.UUID, common.UUID),
    "name": described(meanings.NAME, common.TEXT),
}
_NAMED_PROVIDER = common.named_provider()


@functools.cache
def query(candidates_query):
    """Return the validator of a query for candidates that also has `closest` and `host`."""
    also = {"closest": CLOSEST_SCHEMA, "host": {"type": "string", "minLength": 1}}
    return validation.of_changed_query(candidates_query, also)


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/explanation."""
    hosts = {
        "all": described("How many hosts there are.", common.COUNT),
        "pass": described("How many hosts have candidates.", common.COUNT),
    }
    properties = {
        "format": common.FORMAT,
        "query": described(meanings.QUERY, common.TEXT),
        "hosts": described(
            "Roots, with the trees below them.",
            titled("HostCounts", common.open_record(hosts, required=hosts)),
        ),
        "candidates": described(
            f"How many candidates there are, counted up to {constants.MOST_COUNTED_CANDIDATES:,}.",
            common.COUNT,
        ),
        "constraints": described("What the query asks for, one by one.", _list_of(_constraint())),
        "closest": described(
            "The hosts that almost have candidates, closest first.", _list_of(_closest())
        ),
        "relaxations": described(
            "Single changes that would help, most hosts first.", _list_of(_relaxation())
        ),
        "unknown": described(meanings.UNKNOWN, _list_of(_unknown())),
        "summary": described("The constraints in one sentence, for people.", common.TEXT),
    }
    # This is only present if the query names a host.
    host = {"host": described("The only host explained, if the query names one.", _NAMED_PROVIDER)}
    schema = common.open_record(properties | host, required=properties)
    return validation.of_body(titled("Explanation", schema))


def _constraint():
    count = _CONSTRAINT | {
        "fail": described(
            "Hosts that do not meet the constraint, whatever else they meet.", common.COUNT
        ),
        "only": described(
            "Hosts that would have candidates without the constraint, and have none with it.",
            common.COUNT,
        ),
        "left": described("Hosts that meet the constraint and all those before it.", common.COUNT),
    }
    of_resources = {
        "why": described(
            "For resources: how many hosts do not meet it, by the reason why their best provider "
            "does not. The reasons are those of `why` in `unmet`. The best provider is the one "
            "that could give the largest part of the amount.",
            common.by_key(common.COUNT),
        ),
        "reasons": described(
            "For resources: why hosts do not meet it, in words, most hosts first.",
            _list_of(common.TEXT),
        ),
        "most_free": described(
            "For resources: the largest amount that is free on the best provider of a host that "
            "does not meet it.",
            common.COUNT,
        ),
        "limits": described(
            "For resources: the most that any of the best providers allows, by reason; for "
            "capacity, that is the free amount.",
            common.by_key(common.COUNT),
        ),
    }
    return titled("Constraint", common.open_record(count | of_resources, required=count))


def _closest():
    unmet = _CONSTRAINT | {
        "why": described(
            "For resources: what keeps the amount from fitting: no_inventory, max_unit, min_unit, "
            "step_size or capacity.",
            common.TEXT,
        ),
        "reason": described(
            "For resources, `why` in words; for `together`, the cause, if it is known.", common.TEXT
        ),
        "free": described("For resources: the free amount on the provider.", common.COUNT),
        "reserved": described(
            "The reserved amount of the class there, if the amount would fit without it.",
            common.COUNT,
        ),
        "unit": described(
            "For resources: the max_unit, min_unit or step_size that does not allow the amount.",
            common.COUNT,
        ),
        "provider": described(
            "The provider of the host that came closest; for together, the one in the reason.",
            _NAMED_PROVIDER,
        ),
        "serving": described(
            "The providers that would serve each group without this constraint.",
            common.by_key(_list_of(_NAMED_PROVIDER)),
        ),
    }
    constraint = titled("UnmetConstraint", common.open_record(unmet, required=_CONSTRAINT))
    close = _PROVIDER | {"unmet": described("What the host does not meet.", _list_of(constraint))}
    return titled("ClosestHost", common.of_host(close))


def _relaxation():
    change = _CONSTRAINT | {
        "instead": described(
            "What to ask for; null to drop the constraint.", common.TEXT_OR_NULL
        )
    }
    change["words"] = described(
        "What to ask for, in words; or the constraint, if it is to be dropped.", common.TEXT
    )
    relaxation = change | {
        "also": described(
            "What else must change because the query would be refused otherwise; often nothing.",
            _list_of(titled("Change", common.open_record(change, required=change))),
        ),
        "query": described("The query string with these changes.", common.TEXT),
        "hosts": described(
            "How many hosts without candidates would then have some.", common.COUNT
        ),
        "example": described("One of these hosts.", _NAMED_PROVIDER),
    }
    return titled("Relaxation", common.open_record(relaxation, required=relaxation))


def _unknown():
    queries = described(
        "For each suggestion, the query string with it in place of the name.",
        common.by_key(common.TEXT),
    )
    return common.unknown_name("MisspeltName", {"queries": queries})


def _list_of(items):
    return {"type": "array", "items": items}
