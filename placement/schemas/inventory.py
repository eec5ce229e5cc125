"""/resource_providers/{uuid}/inventories and what is below it."""

import functools

from placement import constants
from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

# The largest number that a column of single precision can store.
MAX_SINGLE_PRECISION = 3.40282e38


def _amount(minimum):
    return {"type": "integer", "maximum": constants.MAX_INTEGER, "minimum": minimum}


# The properties of a single inventory, with the generation of its provider.
_PROPERTIES = {
    "resource_provider_generation": common.GENERATION,
    "total": described(meanings.TOTAL, _amount(1)),
    "reserved": described(meanings.RESERVED, _amount(0)),
    "min_unit": described(meanings.MIN_UNIT, _amount(1)),
    "max_unit": described(meanings.MAX_UNIT, _amount(1)),
    "step_size": described(meanings.STEP_SIZE, _amount(1)),
    "allocation_ratio": described(
        meanings.ALLOCATION_RATIO,
        {
            "type": "number",
            "maximum": MAX_SINGLE_PRECISION,
            "minimum": -MAX_SINGLE_PRECISION,
        },
    ),
}
_GENERATION_IGNORED = {
    "resource_provider_generation": described("Ignored.", common.GENERATION)
}
_GENERATION_READ = {"resource_provider_generation": common.PROVIDER_GENERATION_READ}
_GENERATION_SHOWN = {"resource_provider_generation": common.PROVIDER_GENERATION}


@functools.cache
def create():
    """Return the validator of one inventory, with its class."""
    resource_class = {"resource_class": described("The name of the class.", common.CLASS_NAME)}
    schema = common.record(
        _PROPERTIES | _GENERATION_IGNORED | resource_class, required=["total", "resource_class"]
    )
    return validation.of_body(titled("NewInventory", schema))


@functools.cache
def replace():
    """Return the validator of one inventory, with the generation of its provider."""
    schema = common.record(
        _PROPERTIES | _GENERATION_READ, required=["total", "resource_provider_generation"]
    )
    return validation.of_body(titled("InventoryUpdate", schema))


def whole_set():
    """Return the schema of all the inventories of a provider, by class, with its generation."""
    inventory = titled(
        "InventoryValues", common.record(_PROPERTIES | _GENERATION_IGNORED, required=["total"])
    )
    inventories = {
        "type": "object",
        "maxProperties": common.MOST_RESOURCES,
        "patternProperties": {common.NAME_KEY: inventory},
        # A key that cannot be the name of a class is accepted here, and refused as an unknown class
        # later.
        "additionalProperties": inventory,
    }
    properties = _GENERATION_READ | {"inventories": described(meanings.INVENTORIES, inventories)}
    return titled("InventoriesUpdate", common.record(properties, required=properties))


@functools.cache
def replace_all():
    return validation.of_body(whole_set())


def _shown():
    """Return {name: schema} for the properties of an inventory in an answer.

    An answer always has all of these properties. Their bounds are left out.
    """
    return {
        name: {keyword: schema[keyword] for keyword in ("description", "type")}
        for name, schema in (_PROPERTIES | _GENERATION_SHOWN).items()
    }


def shown_values():
    """Return {name: schema} for the values that clients set, as answers show them."""
    shown = _shown()
    return {name: shown[name] for name in shown if name not in _GENERATION_SHOWN}


@functools.cache
def shown():
    """Return the validator of the answer: one inventory, and the generation of its provider."""
    properties = _shown()
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("ProviderInventory", schema))


@functools.cache
def listed():
    """Return the validator of the answer: all the inventories of a provider, by class."""
    values = shown_values()
    by_class = common.by_key(titled("Inventory", common.record(values, required=values)))
    properties = {
        "resource_provider_generation": _shown()["resource_provider_generation"],
        "inventories": described(meanings.INVENTORIES, by_class),
    }
    return validation.of_body(titled("Inventories", common.record(properties, required=properties)))
