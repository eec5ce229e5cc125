"""What a client writes and reads about consumers and their allocations."""

import functools

from placement import constants
from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

_CLAIMED_AMOUNTS = described(meanings.AMOUNTS, common.CLAIMED_AMOUNTS)
_AMOUNTS = described(meanings.AMOUNTS, common.AMOUNTS)
_PROVIDER = titled(
    "ProviderReference",
    common.record(
        {"uuid": described(meanings.UUID, common.UUID)}, required=["uuid"], unexpected_first=True
    ),
)
_LISTED_ALLOCATIONS = {
    "type": "array",
    "minItems": 1,
    "maxItems": common.MOST_RESOURCES,
    "items": titled(
        "ClaimedAllocation",
        common.record(
            {
                "resource_provider": described(meanings.PROVIDER, _PROVIDER),
                "resources": _CLAIMED_AMOUNTS,
            },
            required=["resource_provider", "resources"],
        ),
    ),
}
_ALLOCATION = titled(
    "ClaimedAllocation",
    common.record(
        {
            "resources": _CLAIMED_AMOUNTS,
            "generation": described(
                "The generation of the provider; ignored.", common.GENERATION
            ),
        },
        required=["resources"],
    ),
)
_CONSUMER_GENERATION = described(
    "The generation of the consumer, as last read; null if it must not exist.",
    {"type": ["integer", "null"]},
)
_CONSUMER_TYPE = described(
    "The type of the consumer.",
    {
        "type": "string",
        "pattern": common.NAME_KEY,
        "minLength": 1,
        "maxLength": constants.MAX_NAME,
        "format": "single-line",
    },
)
# The unsuffixed group has the key "", which the pattern does not match, so any key is allowed.
_MAPPINGS = {
    "type": "object",
    "minProperties": 1,
    "maxProperties": common.MOST_RESOURCES,
    "patternProperties": {
        common.SUFFIX: {
            "type": "array",
            "minItems": 1,
            "maxItems": common.MOST_RESOURCES,
            "items": common.UUID,
        }
    },
}


@functools.cache
def replace_listed(with_owner):
    """Return the validator of a claim whose allocations are a list.

    With `with_owner`, the claim also has the project and the user of the consumer.
    """
    properties = {"allocations": described(meanings.TAKEN_BY_CONSUMER, _LISTED_ALLOCATIONS)}
    if with_owner:
        properties |= common.OWNERS
    return validation.of_body(titled("Claim", common.record(properties, required=properties)))


def consumer(*, at_least, with_generation, with_mappings, with_consumer_type):
    """Return the schema of a consumer with at least `at_least` allocations, by provider.

    The flags say which properties exist in a version. `with_generation` is about the generation of
    the consumer.
    """
    allocations = common.by_uuid(_ALLOCATION, at_least=at_least, at_most=common.MOST_RESOURCES)
    properties = {"allocations": described(meanings.TAKEN_BY_CONSUMER, allocations)} | common.OWNERS
    if with_generation:
        properties["consumer_generation"] = _CONSUMER_GENERATION
    if with_consumer_type:
        properties["consumer_type"] = _CONSUMER_TYPE
    required = list(properties)
    if with_mappings:
        properties["mappings"] = described("As in an allocation request; ignored.", _MAPPINGS)
    schema = common.record(properties, required=required, unexpected_first=True)
    return titled("Claim", schema)


@functools.cache
def replace(*, with_generation, **flags):
    """Return the validator of one consumer and its allocations by provider.

    In versions in which consumers have no generation, `allocations` must not be empty. The other
    `flags`, with_mappings and with_consumer_type, say whether those properties exist.
    """
    at_least = 0 if with_generation else 1
    return validation.of_body(consumer(at_least=at_least, with_generation=with_generation, **flags))


@functools.cache
def replace_many(**flags):
    """Return the validator of {uuid of a consumer: the consumer and its allocations}.

    `flags` say which properties exist: with_generation, with_mappings and with_consumer_type.
    """
    by_uuid = common.by_uuid(
        consumer(at_least=0, **flags), at_least=1, at_most=common.MOST_CONSUMERS
    )
    return validation.of_body(titled("Claims", by_uuid))


@functools.cache
def of_consumer(*, with_owner, with_generation, with_consumer_type):
    """Return the validator of the answer about a consumer, with the properties that the flags name.

    The answer about an unknown consumer has none of these properties, and no allocations.
    """
    shown = {"resources": _AMOUNTS, "generation": common.PROVIDER_GENERATION}
    by_provider = common.by_key(
        titled("AllocationOfProvider", common.record(shown, required=shown))
    )
    properties = {"allocations": described(meanings.TAKEN_BY_CONSUMER, by_provider)}
    if with_owner:
        properties |= common.OWNERS
    if with_generation:
        properties["consumer_generation"] = common.CONSUMER_GENERATION
    if with_consumer_type:
        properties["consumer_type"] = described(meanings.CONSUMER_TYPE_SHOWN, common.TEXT)
    known = titled("ConsumerAllocations", common.record(properties, required=properties))
    nothing = described(meanings.TAKEN_BY_CONSUMER, {"type": "object", "maxProperties": 0})
    empty = {"allocations": nothing}
    unknown = titled("NoAllocations", common.record(empty, required=empty))
    return validation.of_body({"anyOf": [known, unknown]})


@functools.cache
def on_provider(with_generation):
    """Return the validator of the answer about a provider.

    With `with_generation`, the answer also has the generation of each consumer.
    """
    shown = {"resources": _AMOUNTS}
    if with_generation:
        shown["consumer_generation"] = common.CONSUMER_GENERATION
    by_consumer = common.by_key(
        titled("AllocationOfConsumer", common.record(shown, required=shown))
    )
    properties = {
        "allocations": described("The allocations from the provider, by consumer.", by_consumer),
        "resource_provider_generation": common.PROVIDER_GENERATION,
    }
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("ProviderAllocations", schema))
