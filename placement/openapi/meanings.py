"""What the properties of bodies mean, and what they are where a request leaves them out."""

from placement.handlers import present
from placement.objects.inventory import Inventory

# By name, or by the end of the way to it, of which the longest that fits counts. A way begins
# with the name of an operation and `request` or `answer`; names of the client's own, such as
# the UUIDs that are keys, are not on it.
_MEANINGS = {
    "aggregates": "UUIDs of aggregates.",
    "allocation_list_of_provider.answer.allocations": "What is taken of it, by consumer.",
    "allocation_ratio": "How many times over the rest may be promised.",
    "allocation_requests": "What could be claimed, each request as it stands.",
    "allocation_requests.allocations": "What would be taken, by provider.",
    "allocation_requests.mappings": "By suffix of a request group, the providers that serve it.",
    "allocations": "What the consumer takes, by provider.",
    "allocations.generation": "The generation of the provider; ignored.",
    "answer.allocations.consumer_generation": "Grows with every change of the consumer.",
    "answer.allocations.generation": "Grows with every change of the provider.",
    "answer.consumer_generation": "Grows with every change of the consumer.",
    "answer.consumer_type": "What kind of thing the consumer is; unknown: nobody has told.",
    "capacity": "(total - reserved) * allocation_ratio, a whole number.",
    "checks": "What each check found.",
    "checks.check": "Its name.",
    "checks.count": "How many there are.",
    "checks.examples": "The first ten of them.",
    "checks.is_fault": "Whether a sound ledger has none.",
    "checks.is_repairable": "Whether they can be repaired while the service runs.",
    "checks.question": "What is checked.",
    "consumer_generation": "The consumer's, as last read; null: it must not exist.",
    "consumer_type": "What kind of thing the consumer is.",
    "detail": "A sentence for people.",
    "error": "What went wrong.",
    "error.code": "The HTTP status.",
    "errors": "What went wrong: always one.",
    "errors.code": "A word for programs: what kind of error it is.",
    "errors.max_version": "The newest version of the API, if there is none like that asked for.",
    "errors.min_version": "The oldest version of the API, if there is none like that asked for.",
    "format": "The form of the answer; it grows by new members only.",
    "generation": "Grows with every change of the provider.",
    "href": "A path, with the prefix that the service is mounted under.",
    "id": "The name of a range of versions.",
    "inventories": "What the provider has, by class.",
    "inventories.inventories.resource_provider_generation": "Ignored.",
    "inventory_create.request.resource_provider_generation": "Ignored.",
    "inventory_replace_all.request.inventories.resource_provider_generation": "Ignored.",
    "is_sound": "Whether no check found a fault.",
    "links": "Where to find more.",
    "mappings": "As in an allocation request; ignored.",
    "max_unit": "The largest amount that one allocation may take.",
    "message": "A sentence for people.",
    "min_unit": "The smallest amount that one allocation may take.",
    "name": "Its name; no two have the same.",
    "parent_provider_uuid": "The provider above it; null for a root.",
    "project_id": "The project that the consumer belongs to.",
    "provider_summaries": "How full the providers are, and what they are like.",
    "provider_summaries.resources": "How full it is, by class.",
    "refusal.code": "The HTTP status, with the words for it.",
    "rel": "What is to be found there.",
    "repair": "Names of checks; without it, all whose findings can be repaired.",
    "repaired": "How many were repaired, by check.",
    "request.resource_provider_generation": "The provider's, as last read.",
    "request.uuid": "Its UUID; the service chooses one if there is none.",
    "request_id": "The name of the request in the logs of the service.",
    "reserved": "What is not for consumers.",
    "reshaper_move.request.allocations": "All that each of the consumers takes, by consumer.",
    "reshaper_move.request.inventories": "All that each of the providers has, by provider.",
    "reshaper_move.request.inventories.resource_provider_generation": (
        "The provider's, as last read."
    ),
    "resource_class": "The name of the class.",
    "resource_classes": "The classes.",
    "resource_provider": "The provider.",
    "resource_provider_generation": "Grows with every change of the provider.",
    "resource_providers": "The providers.",
    "resources": "Amounts by class.",
    "root_provider_uuid": "The root of its tree: itself, if it is one.",
    "status": "The HTTP status.",
    "step_size": "Every amount must be a multiple of it.",
    "title": "The words for the HTTP status.",
    "total": "All that there is.",
    "traits": "Names of traits.",
    "usage_of_project.answer.usages": (
        "What is used: amounts by class or, where consumers have types, that by type."
    ),
    "usages": "What is used, by class.",
    "used": "What consumers have taken.",
    "user_id": "The user that the consumer belongs to.",
    "uuid": "Its UUID.",
    "versions": "The ranges of versions.",
    "versions.max_version": "The newest version of the API.",
    "versions.min_version": "The oldest version of the API.",
    "versions.status": "Whether they are served.",
}

# What becomes of an inventory of which only the total is told.
_GIVEN = {"total": 1}
_DEFAULTS = {
    name: value
    for name, value in present.inventory(Inventory.from_request("", _GIVEN)).items()
    if name not in _GIVEN
}


def added_to(schema, *way):
    """Return a copy of the JSON schema at the `way` in which every property is described.

    Raises: KeyError for a property without a meaning.
    """
    if isinstance(schema, list):
        return [added_to(each, *way) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        keyword: _described(value, way) if keyword == "properties" else added_to(value, *way)
        for keyword, value in schema.items()
    }


def _described(properties, way):
    described = {}
    for name, schema in properties.items():
        described[name] = {"description": _meaning(*way, name), **added_to(schema, *way, name)}
        if "request" in way and name in _DEFAULTS:
            described[name]["default"] = _DEFAULTS[name]
    return described


def _meaning(*way):
    end = ".".join(way)
    return _MEANINGS[end] if end in _MEANINGS or len(way) == 1 else _meaning(*way[1:])
