"""/resource_classes and /resource_classes/{name}."""

import functools

from placement.schemas import meanings, parts, validation
from placement.schemas.annotations import described, titled


@functools.cache
def custom():
    """Return the validator of {"name": the name of a custom class}."""
    properties = {"name": described(meanings.NAME, parts.CUSTOM_NAME)}
    schema = parts.record(properties, required=properties)
    return validation.of_body(titled("NewResourceClass", schema))


def _shown():
    properties = {
        "name": described(meanings.NAME, parts.CLASS_NAME),
        "links": parts.links("self"),
    }
    return titled("ResourceClass", parts.record(properties, required=properties))


@functools.cache
def shown():
    """Return the validator of the answer: a class."""
    return validation.of_body(_shown())


@functools.cache
def listed():
    """Return the validator of the answer: classes."""
    classes = {"type": "array", "items": _shown()}
    properties = {"resource_classes": described("The classes.", classes)}
    schema = parts.record(properties, required=properties)
    return validation.of_body(titled("ResourceClasses", schema))
