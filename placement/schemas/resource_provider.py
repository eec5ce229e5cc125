"""/resource_providers and /resource_providers/{uuid}."""

import functools

from placement import constants
from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

_NAME = described(meanings.NAME, {"type": "string", "maxLength": constants.MAX_PROVIDER_NAME})
_PARENT = {"parent_provider_uuid": described(meanings.PARENT, common.UUID_OR_NULL)}


@functools.cache
def create(*, with_parent):
    """Return the validator of a new provider; with `with_parent`, it may have a parent."""
    uuid = described("The UUID of the provider; by default, the service chooses one.", common.UUID)
    properties = {"name": _NAME, "uuid": uuid} | (_PARENT if with_parent else {})
    schema = common.record(properties, required=["name"])
    return validation.of_body(titled("NewResourceProvider", schema))


@functools.cache
def update(*, with_parent):
    """Return the validator of a provider's new name and, with `with_parent`, its parent."""
    properties = {"name": _NAME} | (_PARENT if with_parent else {})
    schema = common.record(properties, required=["name"])
    return validation.of_body(titled("ResourceProviderUpdate", schema))


@functools.cache
def list_query(*, member_of, resources, in_tree, required):
    """Return the validator of a query; each flag says whether the version has that parameter."""
    properties = {"name": common.TEXT, "uuid": common.UUID}
    if member_of:
        properties["member_of"] = common.TEXT
    if resources:
        properties["resources"] = common.TEXT
    if in_tree:
        properties["in_tree"] = common.UUID
    if required:
        properties["required"] = common.TEXT
    return validation.of_query(common.record(properties))


def _shown(*, relations, with_parent):
    """Return the schema of a provider, which links to `relations`, such as ("inventories",)."""
    properties = {
        "uuid": described(meanings.UUID, common.UUID),
        "name": _NAME,
        "generation": common.PROVIDER_GENERATION,
        "links": common.links("self", *relations, title="ResourceProviderLink"),
    }
    if with_parent:
        properties |= _PARENT | {"root_provider_uuid": described(meanings.ROOT, common.UUID)}
    return titled("ResourceProvider", common.record(properties, required=properties))


@functools.cache
def shown(**flags):
    """Return the validator of the answer: a provider. `flags` are the arguments of _shown()."""
    return validation.of_body(_shown(**flags))


@functools.cache
def listed(**flags):
    """Return the validator of the answer: providers. `flags` are the arguments of _shown()."""
    providers = {"type": "array", "items": _shown(**flags)}
    properties = {"resource_providers": described(meanings.PROVIDERS, providers)}
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("ResourceProviders", schema))
