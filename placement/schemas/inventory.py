"""/resource_providers/{uuid}/inventories and what is below it."""

import functools

from placement import constants
from placement.schemas import parts, validation

# The numbers that even a database that keeps them in single precision can store.
MAX_SINGLE_PRECISION = 3.40282e38


def _amount(minimum):
    return {"type": "integer", "maximum": constants.MAX_INTEGER, "minimum": minimum}


_PROPERTIES = {
    "resource_provider_generation": parts.GENERATION,
    "total": _amount(1),
    "reserved": _amount(0),
    "min_unit": _amount(1),
    "max_unit": _amount(1),
    "step_size": _amount(1),
    "allocation_ratio": {
        "type": "number",
        "maximum": MAX_SINGLE_PRECISION,
        "minimum": -MAX_SINGLE_PRECISION,
    },
}


@functools.cache
def create():
    properties = _PROPERTIES | {"resource_class": parts.CLASS_NAME}
    return validation.of_body(parts.record(properties, ["total", "resource_class"]))


@functools.cache
def replace():
    return validation.of_body(parts.record(_PROPERTIES, ["total", "resource_provider_generation"]))


def whole_set():
    """All the inventories of one provider, by class, and its generation."""
    inventory = parts.record(_PROPERTIES, ["total"])
    inventories = {
        "type": "object",
        "maxProperties": parts.MOST_RESOURCES,
        "patternProperties": {parts.NAME_KEY: inventory},
        # A key that is no class name is an unknown class, which is reported elsewhere.
        "additionalProperties": inventory,
    }
    return parts.record(
        {"resource_provider_generation": parts.GENERATION, "inventories": inventories},
        ["resource_provider_generation", "inventories"],
    )


@functools.cache
def replace_all():
    return validation.of_body(whole_set())


def _shown():
    """The values that requests may leave out are all there; the bounds need not be repeated."""
    return {name: {"type": value["type"]} for name, value in _PROPERTIES.items()}


@functools.cache
def shown():
    """The answer: one inventory, and the generation of its provider."""
    return validation.of_body(parts.record(_shown(), _PROPERTIES))


@functools.cache
def listed():
    """The answer: all the inventories of a provider, by class."""
    values = _shown()
    generation = values.pop("resource_provider_generation")
    properties = {
        "resource_provider_generation": generation,
        "inventories": parts.by_key(parts.record(values, values)),
    }
    return validation.of_body(parts.record(properties, properties))
