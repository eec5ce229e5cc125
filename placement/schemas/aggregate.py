"""Source: contract, "/resource_providers/{uuid}/aggregates"."""

import functools

from placement.schemas import parts, validation

_AGGREGATES = {"type": "array", "items": parts.UUID, "uniqueItems": True}


@functools.cache
def replace(generation):
    """A bare array; with `generation`, an object of the array and the provider's generation."""
    if not generation:
        return validation.of_body(_AGGREGATES)
    properties = {
        "aggregates": _AGGREGATES,
        "resource_provider_generation": parts.GENERATION,
    }
    return validation.of_body(parts.record(properties, properties))
