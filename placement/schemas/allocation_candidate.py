"""GET /allocation_candidates."""

import functools

from placement.constants import POLICY_ISOLATE, POLICY_NONE
from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

_NUMBER = "[1-9][0-9]*"
_LIMIT = {"type": "string", "pattern": f"^{_NUMBER}$", "format": "single-line"}
_AMOUNTS = described(meanings.AMOUNTS, common.AMOUNTS)
_GROUP_POLICY = {"type": "string", "enum": [POLICY_NONE, POLICY_ISOLATE]}


@functools.cache
def list_query(*, limit, required, member_of):
    """Return the validator of a query in the versions before request groups existed.

    Each flag says whether the parameter of that name exists.
    """
    properties = {"resources": common.TEXT}
    if limit:
        properties["limit"] = _LIMIT
    if required:
        properties["required"] = common.TEXT
    if member_of:
        properties["member_of"] = common.TEXT
    return validation.of_query(common.record(properties, required=["resources"]))


@functools.cache
def list_query_of_groups(*, of_groups, of_query, word_suffixes):
    """Return the validator of a query in the versions that have request groups.

    `of_groups` has the names of group parameters, which may end with the suffix of a group;
    `of_query` has the names of all other parameters. Both are tuples. All values are strings. With
    `word_suffixes`, a suffix may be a word; in older versions, it is a number.
    """
    properties = {"limit": _LIMIT, "group_policy": _GROUP_POLICY}
    properties |= dict.fromkeys(of_query, common.TEXT)
    suffix = common.SUFFIX if word_suffixes else _NUMBER
    return validation.of_query(
        {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
            "patternProperties": {f"^{prefix}({suffix})?$": common.TEXT for prefix in of_groups},
            # Without this, the patterns would accept a newline at the end.
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
            common.by_key(_summary(with_traits, whole_trees)),
        ),
    }
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("AllocationCandidates", schema))


def _request(allocations_as_list, with_mappings):
    """Return the schema of an allocation request."""
    allocations = _listed() if allocations_as_list else _by_provider()
    properties = {"allocations": described("What would be taken, by provider.", allocations)}
    if with_mappings:
        properties["mappings"] = described(
            "The providers that serve each request group, by its suffix.",
            common.by_key({"type": "array", "items": common.UUID}),
        )
    return titled("AllocationRequest", common.record(properties, required=properties))


def _by_provider():
    """Return the schema of allocations in an object, by provider."""
    allocation = {"resources": _AMOUNTS}
    schema = common.record(allocation, required=allocation)
    return common.by_key(titled("RequestedAllocation", schema))


def _listed():
    """Return the schema of allocations in a list."""
    uuid = {"uuid": described(meanings.UUID, common.UUID)}
    provider = titled("ProviderReference", common.record(uuid, required=uuid))
    item = {"resource_provider": described(meanings.PROVIDER, provider), "resources": _AMOUNTS}
    schema = common.record(item, required=item)
    return {"type": "array", "items": titled("RequestedAllocation", schema)}


def _summary(with_traits, whole_trees):
    """Return the schema of a provider summary."""
    room = {
        "capacity": described(meanings.CAPACITY, {"type": "integer"}),
        "used": described(meanings.USED, {"type": "integer"}),
    }
    by_class = common.by_key(titled("ResourceSummary", common.record(room, required=room)))
    properties = {
        "resources": described(
            "How full the provider is, by class.", titled("ResourceSummaries", by_class)
        )
    }
    if with_traits:
        names = {"type": "array", "items": common.TEXT}
        properties["traits"] = described(meanings.TRAITS, names)
    if whole_trees:
        properties |= {
            "parent_provider_uuid": described(meanings.PARENT, common.UUID_OR_NULL),
            "root_provider_uuid": described(meanings.ROOT, common.UUID),
        }
    return titled("ProviderSummary", common.record(properties, required=properties))
