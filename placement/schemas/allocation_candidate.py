"""GET /allocation_candidates."""

import functools

from placement.constants import POLICY_ISOLATE, POLICY_NONE
from placement.schemas import meanings, parts, validation
from placement.schemas.annotations import described, titled

_NUMBER = "[1-9][0-9]*"
_LIMIT = {"type": "string", "pattern": f"^{_NUMBER}$", "format": "single-line"}
_AMOUNTS = described(meanings.AMOUNTS, parts.AMOUNTS)
_GROUP_POLICY = {"type": "string", "enum": [POLICY_NONE, POLICY_ISOLATE]}


@functools.cache
def list_query(*, limit, required, member_of):
    """The query before request groups existed; each flag says whether that parameter exists."""
    properties = {"resources": parts.TEXT}
    if limit:
        properties["limit"] = _LIMIT
    if required:
        properties["required"] = parts.TEXT
    if member_of:
        properties["member_of"] = parts.TEXT
    return validation.of_query(parts.record(properties, ["resources"]))


@functools.cache
def list_query_of_groups(*, of_groups, of_query, word_suffixes):
    """The query since request groups exist: parameters of a group may end with its suffix.

    `of_groups` and `of_query` are tuples of the names of parameters, all of which are texts.
    """
    properties = {"limit": _LIMIT, "group_policy": _GROUP_POLICY}
    properties |= dict.fromkeys(of_query, parts.TEXT)
    suffix = parts.SUFFIX if word_suffixes else _NUMBER
    return validation.of_query(
        {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
            "patternProperties": {f"^{prefix}({suffix})?$": parts.TEXT for prefix in of_groups},
            # The patterns would accept a newline at the end.
            "propertyNames": {"type": "string", "format": "single-line"},
        }
    )


@functools.cache
def found(*, allocations_as_list, with_mappings, with_traits, whole_trees):
    """The answer; the flags are those of version_flags.candidates."""
    properties = {
        "allocation_requests": described(
            "The candidates, each ready to be claimed.",
            {"type": "array", "items": _request(allocations_as_list, with_mappings)},
        ),
        "provider_summaries": described(
            "How full the providers are, and their traits.",
            parts.by_key(_summary(with_traits, whole_trees)),
        ),
    }
    return validation.of_body(titled("AllocationCandidates", parts.record(properties, properties)))


def _request(allocations_as_list, with_mappings):
    allocations = _listed() if allocations_as_list else _by_provider()
    properties = {"allocations": described("What would be taken, by provider.", allocations)}
    if with_mappings:
        properties["mappings"] = described(
            "By suffix of a request group, the providers that serve it.",
            parts.by_key({"type": "array", "items": parts.UUID}),
        )
    return titled("AllocationRequest", parts.record(properties, properties))


def _by_provider():
    allocation = {"resources": _AMOUNTS}
    return parts.by_key(titled("RequestedAllocation", parts.record(allocation, allocation)))


def _listed():
    uuid = {"uuid": described(meanings.UUID, parts.UUID)}
    provider = titled("ProviderReference", parts.record(uuid, uuid))
    item = {"resource_provider": described(meanings.PROVIDER, provider), "resources": _AMOUNTS}
    return {"type": "array", "items": titled("RequestedAllocation", parts.record(item, item))}


def _summary(with_traits, whole_trees):
    room = {
        "capacity": described(meanings.CAPACITY, {"type": "integer"}),
        "used": described(meanings.USED, {"type": "integer"}),
    }
    by_class = parts.by_key(titled("ResourceSummary", parts.record(room, room)))
    properties = {
        "resources": described(
            "How full the provider is, by class.", titled("ResourceSummaries", by_class)
        )
    }
    if with_traits:
        names = {"type": "array", "items": parts.TEXT}
        properties["traits"] = described(meanings.TRAITS, names)
    if whole_trees:
        properties |= {
            "parent_provider_uuid": described(meanings.PARENT, parts.UUID_OR_NULL),
            "root_provider_uuid": described(meanings.ROOT, parts.UUID),
        }
    return titled("ProviderSummary", parts.record(properties, properties))
