"""/resource_providers/{uuid}/usages and GET /usages."""

import functools

from placement import constants
from placement.schemas import common, validation
from placement.schemas.annotations import described, titled

_CONSUMER_TYPE = {
    "type": "string",
    "pattern": (
        f"{common.NAME_KEY}|^{constants.ALL_CONSUMER_TYPES}|^{constants.UNKNOWN_CONSUMER_TYPE}$"
    ),
    "minLength": 1,
    "maxLength": constants.MAX_NAME,
}


@functools.cache
def list_query(by_consumer_type):
    """Return the validator of a query; with `by_consumer_type`, it may name a consumer type."""
    properties = {"project_id": common.OWNER, "user_id": common.OWNER}
    if by_consumer_type:
        properties["consumer_type"] = _CONSUMER_TYPE
    return validation.of_query(common.record(properties, required=["project_id"]))


@functools.cache
def of_provider():
    """Return the validator of the answer: what is used of each class that the provider has."""
    properties = {
        "resource_provider_generation": common.PROVIDER_GENERATION,
        "usages": described(
            "What is used, by class.", common.by_key({"type": "integer", "minimum": 0})
        ),
    }
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("ProviderUsages", schema))


@functools.cache
def of_project(by_consumer_type):
    """Return the validator of the answer: the amount used of each class.

    With `by_consumer_type`, the amounts are by type and then by class, and each type has its number
    of consumers.
    """
    used = common.by_key({"type": "integer", "minimum": 1})
    if by_consumer_type:
        # The number of consumers is a member beside the classes.
        used["required"] = ["consumer_count"]
        used = common.by_key(used)
    meaning = "The amounts used, by class; where consumers have types, by type and then by class."
    properties = {"usages": described(meaning, used)}
    schema = common.record(properties, required=properties)
    return validation.of_body(titled("ProjectUsages", schema))
