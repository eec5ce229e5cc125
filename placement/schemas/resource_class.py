"""Source: contract, "/resource_classes"."""

import functools

from placement.schemas import parts, validation


@functools.cache
def custom():
    """{"name": the name of a custom class}."""
    return validation.of_body(parts.record({"name": parts.CUSTOM_NAME}, ["name"]))
