"""/resource_providers and /resource_providers/{uuid}."""

import functools

from placement.schemas import parts, validation

_NAME = {"type": "string", "maxLength": 200}


def _provider(properties, nested):
    if nested:
        properties["parent_provider_uuid"] = parts.UUID_OR_NULL
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


def _shown(relations, nested):
    properties = {
        "uuid": parts.UUID,
        "name": _NAME,
        "generation": parts.GENERATION,
        "links": parts.links("self", *relations),
    }
    if nested:
        properties |= {"parent_provider_uuid": parts.UUID_OR_NULL, "root_provider_uuid": parts.UUID}
    return parts.record(properties, properties)


@functools.cache
def shown(relations, nested):
    """The answer: a provider, with links to its `relations` (a tuple of words)."""
    return validation.of_body(_shown(relations, nested))


@functools.cache
def listed(relations, nested):
    """The answer: providers."""
    properties = {"resource_providers": {"type": "array", "items": _shown(relations, nested)}}
    return validation.of_body(parts.record(properties, properties))
