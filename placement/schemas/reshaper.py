"""POST /reshaper."""

import functools

from placement.schemas import allocation, inventory, parts, validation


@functools.cache
def reshape(*, mappings, consumer_type):
    consumer = allocation.consumer(
        at_least=0, generation=True, mappings=mappings, consumer_type=consumer_type
    )
    properties = {
        "inventories": parts.by_uuid(inventory.whole_set(), at_least=1),
        "allocations": parts.by_uuid(consumer),
    }
    return validation.of_body(parts.record(properties, properties))
