"""POST /reshaper."""

import functools

from placement.schemas import allocation, inventory, parts, validation
from placement.schemas.annotations import described, titled


@functools.cache
def reshape(**flags):
    """Return the validator of the body of a reshape.

    `flags` say which properties of a consumer exist: with_generation, with_mappings and
    with_consumer_type.
    """
    inventories = parts.by_uuid(inventory.whole_set(), at_least=1, at_most=parts.MOST_RESHAPED)
    consumer = allocation.consumer(at_least=0, **flags)
    properties = {
        "inventories": described("Everything that each provider has, by provider.", inventories),
        "allocations": described(
            "All allocations of each consumer, by consumer.",
            parts.by_uuid(consumer, at_most=parts.MOST_RESHAPED),
        ),
    }
    return validation.of_body(titled("Reshape", parts.record(properties, required=properties)))
