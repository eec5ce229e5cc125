"""GET /operator/providers. Source: doc/how-to/everything.rst, doc/how-to/changes.rst."""

import functools

from placement.schemas import common, inventory, meanings, validation
from placement.schemas.annotations import described, titled


@functools.cache
def query(providers_query):
    """Return the validator of a query for providers that may also ask for their consumers."""
    consumers = {"type": "string", "enum": ["true", "false"]}
    return validation.of_changed_query(providers_query, {"consumers": consumers})


@functools.cache
def listed():
    """Return the validator of the answer. If the answer is in lines, each line is one provider."""
    provider = {
        "uuid": described(meanings.UUID, common.UUID),
        "name": described(meanings.NAME, common.TEXT),
        "generation": common.PROVIDER_GENERATION,
        "parent_provider_uuid": described(meanings.PARENT, common.UUID_OR_NULL),
        "root_provider_uuid": described(meanings.ROOT, common.UUID),
        "inventories": described(meanings.INVENTORIES, common.by_key(_inventory())),
        "traits": described(meanings.TRAITS, {"type": "array", "items": common.TEXT}),
        "aggregates": described(meanings.AGGREGATES, {"type": "array", "items": common.UUID}),
    }
    allocations = {
        "allocations": described(
            "The allocations on the provider, by consumer, if the query asks for them.",
            common.by_key(_allocation()),
        )
    }
    shown = titled("WholeProvider", common.open_record(provider | allocations, required=provider))
    properties = {
        "format": common.FORMAT,
        "resource_providers": described(
            meanings.PROVIDERS, {"type": "array", "items": shown}
        ),
    }
    position = {
        "changes_after": described(
            "The position of this state in GET /operator/changes, if changes are recorded.",
            common.COUNT,
        )
    }
    schema = common.open_record(properties | position, required=properties)
    return validation.of_body(titled("WholeProviders", schema))


def _inventory():
    properties = inventory.shown_values() | {
        # The capacity may be below 0: more may be reserved than there is.
        "capacity": described(meanings.CAPACITY, {"type": "integer"}),
        "used": described(meanings.USED, common.COUNT),
    }
    return titled("InventoryWithUse", common.open_record(properties, required=properties))


def _allocation():
    properties = {
        "resources": described(meanings.AMOUNTS, common.by_key(common.COUNT)),
        "consumer_generation": common.CONSUMER_GENERATION,
        "consumer_type": described(meanings.CONSUMER_TYPE_SHOWN, common.TEXT),
        "project_id": described(meanings.PROJECT, common.TEXT),
        "user_id": described(meanings.USER, common.TEXT),
        "created_at": described(
            "When the consumer was created, in UTC; null if that is not known.",
            common.MOMENT_OR_NULL,
        ),
    }
    return titled("AllocationWithOwner", common.open_record(properties, required=properties))
