"""/resource_classes and /resource_classes/{name}."""

import functools

from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled


@functools.cache
def custom():
    """Return the validator of {"name": the name of a custom class}."""
    properties = {"name": described(meanings.NAME, common.CUSTOM_NAME)}
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("NewResourceClass", schema))


def _shown():
    properties = {
        "name": described(meanings.NAME, common.CLASS_NAME),
        "links": common.links("self"),
    }
    return titled("ResourceClass", common.record(properties, required=properties))


@functools.cache
def shown():
    """Return the validator of the answer: a class."""
    return validation.of_body(_shown())


@functools.cache
def listed():
    """Return the validator of the answer: classes."""
    classes = {"type": "array", "items": _shown()}
    properties = {"resource_classes": described("The classes.", classes)}
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("ResourceClasses", schema))
