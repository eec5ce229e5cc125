"""Source: contract, "/resource_providers" and "/resource_providers/{uuid}"."""

import functools

from placement.schemas import parts, validation

_NAME = {"type": "string", "maxLength": 200}
_PARENT = {"anyOf": [parts.UUID, {"type": "null"}]}


def _provider(properties, nested):
    if nested:
        properties["parent_provider_uuid"] = _PARENT
    return validation.of_body(parts.record(properties, ["name"]))


@functools.cache
def create(nested):
    return _provider({"name": _NAME, "uuid": parts.UUID}, nested)


@functools.cache
def update(nested):
    return _provider({"name": _NAME}, nested)


@functools.cache
def list_query(*, member_of, resources, in_tree, required):
    """Each flag says whether the parameter of that name exists already."""
    properties = {"name": parts.TEXT, "uuid": parts.UUID}
    if member_of:
        properties["member_of"] = parts.TEXT
    if resources:
        properties["resources"] = parts.TEXT
    if in_tree:
        properties["in_tree"] = parts.UUID
    if required:
        properties["required"] = parts.TEXT
    return validation.of_query(parts.record(properties))
