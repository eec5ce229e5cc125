"""/resource_providers/{uuid}/aggregates."""

import functools

from placement.schemas import parts, validation

# A spelling with dashes everywhere, or a urn, would not fit where aggregates are stored as
# they were written.
_AGGREGATE = parts.UUID | {"maxLength": 36}
_AGGREGATES = {"type": "array", "items": _AGGREGATE, "uniqueItems": True}
_GIVEN_AGGREGATES = _AGGREGATES | {"maxItems": parts.MOST_MEMBERSHIPS}


@functools.cache
def replace(generation):
    """A bare array; with `generation`, an object of the array and the provider's generation."""
    if not generation:
        return validation.of_body(_GIVEN_AGGREGATES)
    properties = {
        "aggregates": _GIVEN_AGGREGATES,
        "resource_provider_generation": parts.GENERATION,
    }
    return validation.of_body(parts.record(properties, properties))


@functools.cache
def listed(generation):
    """The answer: the aggregates, and with `generation` the provider's."""
    properties = {"aggregates": _AGGREGATES}
    if generation:
        properties["resource_provider_generation"] = parts.GENERATION
    return validation.of_body(parts.record(properties, properties))
