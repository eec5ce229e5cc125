"""/resource_classes and /resource_classes/{name}."""

import functools

from placement.schemas import meanings, parts, validation
from placement.schemas.annotations import described, titled


@functools.cache
def custom():
    """{"name": the name of a custom class}."""
    properties = {"name": described(meanings.NAME, parts.CUSTOM_NAME)}
    return validation.of_body(titled("NewResourceClass", parts.record(properties, properties)))


def _shown():
    properties = {
        "name": described(meanings.NAME, parts.CLASS_NAME),
        "links": parts.links("self"),
    }
    return titled("ResourceClass", parts.record(properties, properties))


@functools.cache
def shown():
    """The answer: a class."""
    return validation.of_body(_shown())


@functools.cache
def listed():
    """The answer: classes."""
    classes = {"type": "array", "items": _shown()}
    properties = {"resource_classes": described("The classes.", classes)}
    return validation.of_body(titled("ResourceClasses", parts.record(properties, properties)))
