"""What a client writes and reads about consumers and their allocations."""

import functools

from placement.schemas import parts, validation

_LISTED_ALLOCATIONS = {
    "type": "array",
    "minItems": 1,
    "maxItems": parts.MOST_RESOURCES,
    "items": parts.record(
        {
            "resource_provider": parts.closed_record({"uuid": parts.UUID}, ["uuid"]),
            "resources": parts.CLAIMED_AMOUNTS,
        },
        ["resource_provider", "resources"],
    ),
}
_ALLOCATION = parts.record(
    {"resources": parts.CLAIMED_AMOUNTS, "generation": parts.GENERATION}, ["resources"]
)
_CONSUMER_GENERATION = {"type": ["integer", "null"]}
_CONSUMER_TYPE = {
    "type": "string",
    "pattern": parts.NAME_KEY,
    "minLength": 1,
    "maxLength": 255,
    "format": "single-line",
}
# The empty key, of the unsuffixed group, is the one that no pattern governs.
_MAPPINGS = {
    "type": "object",
    "minProperties": 1,
    "maxProperties": parts.MOST_RESOURCES,
    "patternProperties": {
        parts.SUFFIX: {
            "type": "array",
            "minItems": 1,
            "maxItems": parts.MOST_RESOURCES,
            "items": parts.UUID,
        }
    },
}


@functools.cache
def replace_listed(owner):
    """Allocations as a list; with `owner`, also the project and the user of the consumer."""
    properties = {"allocations": _LISTED_ALLOCATIONS}
    if owner:
        properties |= {"project_id": parts.OWNER, "user_id": parts.OWNER}
    return validation.of_body(parts.record(properties, properties))


def consumer(*, at_least, generation, mappings, consumer_type):
    """One consumer with its allocations (`at_least` so many) by provider.

    Each other flag says whether the property of that name, for `generation` the consumer's,
    exists already.
    """
    properties = {
        "allocations": parts.by_uuid(
            _ALLOCATION, at_least=at_least, at_most=parts.MOST_RESOURCES
        ),
        "project_id": parts.OWNER,
        "user_id": parts.OWNER,
    }
    if generation:
        properties["consumer_generation"] = _CONSUMER_GENERATION
    if consumer_type:
        properties["consumer_type"] = _CONSUMER_TYPE
    required = list(properties)
    if mappings:
        properties["mappings"] = _MAPPINGS
    return parts.closed_record(properties, required)


@functools.cache
def replace(*, generation, **known):
    """Before consumers had a generation, their allocations could not be emptied this way.

    The flags are those that `consumer` takes.
    """
    at_least = 0 if generation else 1
    return validation.of_body(consumer(at_least=at_least, generation=generation, **known))


@functools.cache
def replace_many(**known):
    """The consumers by uuid; `known` is what `consumer` takes."""
    return validation.of_body(
        parts.by_uuid(consumer(at_least=0, **known), at_least=1, at_most=parts.MOST_CONSUMERS)
    )


@functools.cache
def of_consumer(*, owner, generation, consumer_type):
    """The answer on a consumer, with what the flags name; of an unknown one nothing is known."""
    shown = {"resources": parts.AMOUNTS, "generation": parts.GENERATION}
    allocation = parts.record(shown, shown)
    properties = {"allocations": parts.by_key(allocation)}
    if owner:
        properties |= {"project_id": parts.OWNER, "user_id": parts.OWNER}
    if generation:
        properties["consumer_generation"] = parts.GENERATION
    if consumer_type:
        properties["consumer_type"] = parts.TEXT
    known = parts.record(properties, properties)
    nothing = {"type": "object", "maxProperties": 0}
    unknown = parts.record({"allocations": nothing}, ["allocations"])
    return validation.of_body({"anyOf": [known, unknown]})


@functools.cache
def on_provider(generation):
    """The answer on a provider; with `generation`, each consumer's."""
    properties = {"resources": parts.AMOUNTS}
    if generation:
        properties["consumer_generation"] = parts.GENERATION
    return validation.of_body(
        parts.record(
            {
                "allocations": parts.by_key(parts.record(properties, properties)),
                "resource_provider_generation": parts.GENERATION,
            },
            ["allocations", "resource_provider_generation"],
        )
    )
