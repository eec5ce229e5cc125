"""GET /allocation_candidates."""

import functools

from placement.schemas import parts, validation

NONE, ISOLATE = "none", "isolate"

_NUMBER = "[1-9][0-9]*"
_LIMIT = {"type": "string", "pattern": f"^{_NUMBER}$", "format": "single-line"}
_GROUP_POLICY = {"type": "string", "enum": [NONE, ISOLATE]}


@functools.cache
def list_query(*, limit, required, member_of):
    """Before request groups; each flag says whether the parameter of that name exists."""
    properties = {"resources": parts.TEXT}
    if limit:
        properties["limit"] = _LIMIT
    if required:
        properties["required"] = parts.TEXT
    if member_of:
        properties["member_of"] = parts.TEXT
    return validation.of_query(parts.record(properties, ["resources"]))


@functools.cache
def list_query_of_groups(*, in_tree, word_suffixes, root_required, same_subtree):
    """Since request groups: parameters of a group may end with its suffix."""
    properties = {"limit": _LIMIT, "group_policy": _GROUP_POLICY}
    if root_required:
        properties["root_required"] = parts.TEXT
    if same_subtree:
        properties["same_subtree"] = parts.TEXT
    suffix = parts.SUFFIX if word_suffixes else _NUMBER
    prefixes = ["resources", "required", "member_of"] + ["in_tree"] * in_tree
    return validation.of_query(
        {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
            "patternProperties": {f"^{prefix}({suffix})?$": parts.TEXT for prefix in prefixes},
            # A last newline passes the patterns.
            "propertyNames": {"type": "string", "format": "single-line"},
        }
    )


@functools.cache
def found(*, allocations_as_list, mappings, traits, nested):
    """The answer; each flag says whether it has that form, or that property."""
    request = {"allocations": _listed() if allocations_as_list else _by_provider()}
    if mappings:
        request["mappings"] = parts.by_key({"type": "array", "items": parts.UUID})
    room = {"capacity": {"type": "integer"}, "used": {"type": "integer"}}
    summary = {"resources": parts.by_key(parts.record(room, room))}
    if traits:
        summary["traits"] = {"type": "array", "items": parts.TEXT}
    if nested:
        summary |= {"parent_provider_uuid": parts.UUID_OR_NULL, "root_provider_uuid": parts.UUID}
    properties = {
        "allocation_requests": {"type": "array", "items": parts.record(request, request)},
        "provider_summaries": parts.by_key(parts.record(summary, summary)),
    }
    return validation.of_body(parts.record(properties, properties))


def _by_provider():
    return parts.by_key(parts.record({"resources": parts.AMOUNTS}, ["resources"]))


def _listed():
    item = {"resource_provider": parts.record({"uuid": parts.UUID}, ["uuid"])}
    item["resources"] = parts.AMOUNTS
    return {"type": "array", "items": parts.record(item, item)}
