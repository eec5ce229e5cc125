"""/resource_providers/{uuid}/traits, /traits and /traits/{name}."""

import functools

from placement import constants
from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

_NAMES = described(meanings.TRAITS, {"type": "array", "items": common.TEXT})


@functools.cache
def custom_name():
    """Return the validator of the name of a custom trait in a path."""
    return validation.of_body(common.CUSTOM_NAME)


@functools.cache
def replace():
    """Return the validator of a provider's traits and generation."""
    name = {"type": "string", "minLength": 1, "maxLength": constants.MAX_NAME}
    names = {"type": "array", "maxItems": common.MOST_MEMBERSHIPS, "items": name}
    properties = {
        "traits": described(meanings.TRAITS, names),
        "resource_provider_generation": common.PROVIDER_GENERATION_READ,
    }
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("ProviderTraitsUpdate", schema))


@functools.cache
def list_query():
    """Return the validator of a query for traits."""
    return validation.of_query(common.record({"name": common.TEXT, "associated": common.TEXT}))


@functools.cache
def listed():
    """Return the validator of the answer: names."""
    schema = common.record({"traits": _NAMES}, required=["traits"])
    return validation.of_body(titled("Traits", schema))


@functools.cache
def of_provider():
    """Return the validator of the answer: the names of a provider's traits, and its generation."""
    properties = {
        "traits": _NAMES,
        "resource_provider_generation": common.PROVIDER_GENERATION,
    }
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("ProviderTraits", schema))
