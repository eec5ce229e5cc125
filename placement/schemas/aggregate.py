"""/resource_providers/{uuid}/aggregates."""

import functools

from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

# Aggregates are stored as clients spell them. A URN, or a UUID with more dashes, would be too long
# for the column.
_AGGREGATE = common.UUID | {"maxLength": 36}
_AGGREGATES = {"type": "array", "items": _AGGREGATE, "uniqueItems": True}
_GIVEN_AGGREGATES = _AGGREGATES | {"maxItems": common.MOST_MEMBERSHIPS}


@functools.cache
def replace(with_generation):
    """Return the validator of the aggregates of a provider: an array of uuids.

    With `with_generation`, the body is an object with that array and the provider's generation.
    """
    schema = _GIVEN_AGGREGATES
    if with_generation:
        properties = {
            "aggregates": described(meanings.AGGREGATES, _GIVEN_AGGREGATES),
            "resource_provider_generation": common.PROVIDER_GENERATION_READ,
        }
        schema = common.record(properties, required=properties)
    return validation.of_body(titled("ProviderAggregatesUpdate", schema))


@functools.cache
def listed(with_generation):
    """Return the validator of the answer: the aggregates of a provider.

    With `with_generation`, the answer also has the generation of the provider.
    """
    properties = {"aggregates": described(meanings.AGGREGATES, _AGGREGATES)}
    if with_generation:
        properties["resource_provider_generation"] = common.PROVIDER_GENERATION
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("ProviderAggregates", schema))
