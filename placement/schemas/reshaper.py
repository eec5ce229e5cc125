"""POST /reshaper."""

import functools

from placement.schemas import allocation, common, inventory, validation
from placement.schemas.annotations import described, titled


@functools.cache
def reshape(**flags):
    """Return the validator of the body of a reshape.

    `flags` say which properties of a consumer exist: with_generation, with_mappings and
    with_consumer_type.
    """
    inventories = common.by_uuid(inventory.whole_set(), at_least=1, at_most=common.MOST_RESHAPED)
    consumer = allocation.consumer(at_least=0, **flags)
    properties = {
        "inventories": described("Everything that each provider has, by provider.", inventories),
        "allocations": described(
            "All allocations of each consumer, by consumer.",
            common.by_uuid(consumer, at_most=common.MOST_RESHAPED),
        ),
    }
    return validation.of_body(titled("Reshape", common.record(properties, required=properties)))
