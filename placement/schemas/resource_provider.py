"""/resource_providers and /resource_providers/{uuid}."""

import functools

from placement import constants
from placement.schemas import meanings, parts, validation
from placement.schemas.annotations import described, titled

_NAME = described(meanings.NAME, {"type": "string", "maxLength": constants.MAX_PROVIDER_NAME})
_PARENT = {"parent_provider_uuid": described(meanings.PARENT, parts.UUID_OR_NULL)}


@functools.cache
def create(*, with_parent):
    """Return the validator of a new provider, which may have a parent from some version on."""
    uuid = described("The UUID of the provider; by default, the service chooses one.", parts.UUID)
    properties = {"name": _NAME, "uuid": uuid} | (_PARENT if with_parent else {})
    schema = parts.record(properties, required=["name"])
    return validation.of_body(titled("NewResourceProvider", schema))


@functools.cache
def update(*, with_parent):
    """Return the validator of a provider's name and, from some version on, its parent."""
    properties = {"name": _NAME} | (_PARENT if with_parent else {})
    schema = parts.record(properties, required=["name"])
    return validation.of_body(titled("ResourceProviderUpdate", schema))


@functools.cache
def list_query(*, member_of, resources, in_tree, required):
    """Return the validator of a query; each flag says whether the version has that parameter."""
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


def _shown(*, relations, with_parent):
    properties = {
        "uuid": described(meanings.UUID, parts.UUID),
        "name": _NAME,
        "generation": parts.PROVIDER_GENERATION,
        "links": parts.links("self", *relations, title="ResourceProviderLink"),
    }
    if with_parent:
        properties |= _PARENT | {"root_provider_uuid": described(meanings.ROOT, parts.UUID)}
    return titled("ResourceProvider", parts.record(properties, required=properties))


@functools.cache
def shown(*, relations, with_parent):
    """Return the validator of the answer: a provider.

    A provider has links to its `relations`, a tuple of words such as "inventories".
    """
    return validation.of_body(_shown(relations=relations, with_parent=with_parent))


@functools.cache
def listed(*, relations, with_parent):
    """Return the validator of the answer: providers."""
    providers = {"type": "array", "items": _shown(relations=relations, with_parent=with_parent)}
    properties = {"resource_providers": described(meanings.PROVIDERS, providers)}
    schema = parts.record(properties, required=properties)
    return validation.of_body(titled("ResourceProviders", schema))
