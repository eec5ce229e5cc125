"""POST /reshaper."""

import functools

from placement.schemas import allocation, inventory, parts, validation


@functools.cache
def reshape(**known):
    """`known` is what allocation.consumer takes."""
    properties = {
        "inventories": parts.by_uuid(
            inventory.whole_set(), at_least=1, at_most=parts.MOST_RESHAPED
        ),
        "allocations": parts.by_uuid(
            allocation.consumer(at_least=0, **known), at_most=parts.MOST_RESHAPED
        ),
    }
    return validation.of_body(parts.record(properties, properties))
