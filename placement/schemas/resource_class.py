"""/resource_classes and /resource_classes/{name}."""

import functools

from placement.schemas import parts, validation


@functools.cache
def custom():
    """{"name": the name of a custom class}."""
    return validation.of_body(parts.record({"name": parts.CUSTOM_NAME}, ["name"]))


def _shown():
    return parts.record({"name": parts.CLASS_NAME, "links": parts.links("self")}, ["name", "links"])


@functools.cache
def shown():
    """The answer: a class."""
    return validation.of_body(_shown())


@functools.cache
def listed():
    """The answer: classes."""
    classes = {"type": "array", "items": _shown()}
    return validation.of_body(parts.record({"resource_classes": classes}, ["resource_classes"]))
