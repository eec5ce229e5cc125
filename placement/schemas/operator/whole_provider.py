"""GET /operator/providers."""

import functools

from placement.schemas import parts, validation


@functools.cache
def query(providers_query):
    """Return the validator of a query for providers that may also ask for their consumers."""
    schema = providers_query.schema
    consumers = {"type": "string", "enum": ["true", "false"]}
    return validation.of_query(
        schema | {"properties": schema["properties"] | {"consumers": consumers}}
    )


@functools.cache
def listed():
    """The answer; as lines, each is one of the providers."""
    inventory = {
        "total": parts.COUNT,
        "reserved": parts.COUNT,
        "min_unit": parts.COUNT,
        "max_unit": parts.COUNT,
        "step_size": parts.COUNT,
        "allocation_ratio": {"type": "number"},
        # More may be reserved than there is.
        "capacity": {"type": "integer"},
        "used": parts.COUNT,
    }
    allocation = {
        "resources": parts.by_key(parts.COUNT),
        "consumer_generation": parts.GENERATION,
        "consumer_type": parts.TEXT,
        "project_id": parts.TEXT,
        "user_id": parts.TEXT,
        "created_at": parts.MOMENT_OR_NULL,
    }
    provider = {
        "uuid": parts.UUID,
        "name": parts.TEXT,
        "generation": parts.GENERATION,
        "parent_provider_uuid": parts.UUID_OR_NULL,
        "root_provider_uuid": parts.UUID,
        "inventories": parts.by_key(parts.growing(inventory, inventory)),
        "traits": {"type": "array", "items": parts.TEXT},
        "aggregates": {"type": "array", "items": parts.UUID},
    }
    allocations = {"allocations": parts.by_key(parts.growing(allocation, allocation))}
    properties = {
        "format": parts.FORMAT,
        "resource_providers": {
            "type": "array",
            "items": parts.growing(provider | allocations, provider),
        },
    }
    return validation.of_body(parts.growing(properties, properties))
