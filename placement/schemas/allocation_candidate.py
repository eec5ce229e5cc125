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
    """Return the validator of a query from before request groups existed.

    Each flag says whether the parameter of that name exists.
    """
    properties = {"resources": parts.TEXT}
    if limit:
        properties["limit"] = _LIMIT
    if required:
        properties["required"] = parts.TEXT
    if member_of:
        properties["member_of"] = parts.TEXT
    return validation.of_query(parts.record(properties, required=["resources"]))


@functools.cache
def list_query_of_groups(*, of_groups, of_query, word_suffixes):
    """Return the validator of a query in the versions that have request groups.

    `of_groups` has the names of group parameters, which may end with the suffix of a group;
    `of_query` has the names of all other parameters. Both are tuples. All values are text. With
    `word_suffixes`, a suffix may be a word; in older versions, it is a number.
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
    """Return the validator of the answer.

    The flags say what a version shows. With `whole_trees`, summaries name the parent and the root.
    """
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
    schema = parts.record(properties, required=properties)
    return validation.of_body(titled("AllocationCandidates", schema))


def _request(allocations_as_list, with_mappings):
    """Return the schema of an allocation request."""
    allocations = _listed() if allocations_as_list else _by_provider()
    properties = {"allocations": described("What would be taken, by provider.", allocations)}
    if with_mappings:
        properties["mappings"] = described(
            "The providers that serve each request group, by its suffix.",
            parts.by_key({"type": "array", "items": parts.UUID}),
        )
    return titled("AllocationRequest", parts.record(properties, required=properties))


def _by_provider():
    """Return the schema of allocations in an object, by provider."""
    allocation = {"resources": _AMOUNTS}
    schema = parts.record(allocation, required=allocation)
    return parts.by_key(titled("RequestedAllocation", schema))


def _listed():
    """Return the schema of allocations in a list."""
    uuid = {"uuid": described(meanings.UUID, parts.UUID)}
    provider = titled("ProviderReference", parts.record(uuid, required=uuid))
    item = {"resource_provider": described(meanings.PROVIDER, provider), "resources": _AMOUNTS}
    schema = parts.record(item, required=item)
    return {"type": "array", "items": titled("RequestedAllocation", schema)}


def _summary(with_traits, whole_trees):
    """Return the schema of a provider summary."""
    room = {
        "capacity": described(meanings.CAPACITY, {"type": "integer"}),
        "used": described(meanings.USED, {"type": "integer"}),
    }
    by_class = parts.by_key(titled("ResourceSummary", parts.record(room, required=room)))
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
    return titled("ProviderSummary", parts.record(properties, required=properties))
