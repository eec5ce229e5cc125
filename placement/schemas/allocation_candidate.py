"""Source: contract, "GET /allocation_candidates"."""

import functools

from placement.schemas import parts, validation

LIMIT = {"type": "string", "pattern": "^[1-9][0-9]*$", "format": "single-line"}
GROUP_POLICY = {"type": "string", "enum": ["none", "isolate"]}

_NUMBER = "[1-9][0-9]*"
_WORD = "[a-zA-Z0-9_-]{1,64}"


@functools.cache
def list_query(*, limit, required, member_of):
    """Before request groups; each flag says whether the parameter of that name exists."""
    properties = {"resources": parts.TEXT}
    if limit:
        properties["limit"] = LIMIT
    if required:
        properties["required"] = parts.TEXT
    if member_of:
        properties["member_of"] = parts.TEXT
    return validation.of_query(parts.record(properties, ["resources"]))


@functools.cache
def list_query_of_groups(*, in_tree, word_suffixes, root_required, same_subtree):
    """Since request groups: parameters of a group may end with its suffix."""
    properties = {"limit": LIMIT, "group_policy": GROUP_POLICY}
    if root_required:
        properties["root_required"] = parts.TEXT
    if same_subtree:
        properties["same_subtree"] = parts.TEXT
    suffix = _WORD if word_suffixes else _NUMBER
    prefixes = ["resources", "required", "member_of"] + ["in_tree"] * in_tree
    return validation.of_query(
        {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
            "patternProperties": {f"^{prefix}({suffix})?$": parts.TEXT for prefix in prefixes},
        }
    )
