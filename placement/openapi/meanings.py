"""What the properties of bodies mean, by name."""

_MEANINGS = {
    "aggregates": "UUIDs of aggregates.",
    "allocation_ratio": "How many times over the rest may be promised.",
    "allocation_requests": "What could be claimed, each request as it stands.",
    "allocations": "What is taken of which provider, or, on a provider, by which consumer.",
    "capacity": "(total - reserved) * allocation_ratio, a whole number.",
    "code": "A word for programs: what kind of error it is.",
    "consumer_count": "How many consumers there are.",
    "consumer_generation": "Grows with every change of the consumer; null: it must not exist.",
    "consumer_type": "What kind of thing the consumer is; unknown: nobody has told.",
    "detail": "A sentence for people.",
    "errors": "What went wrong: always one.",
    "generation": "The generation of the provider. In a request, it is ignored.",
    "href": "A path, with the prefix that the service is mounted under.",
    "id": "The name of a range of versions.",
    "inventories": "What a provider has, by class.",
    "links": "Where to find more.",
    "mappings": "By suffix of a request group, the providers that serve it. Ignored in writes.",
    "max_unit": "The largest amount that one allocation may take.",
    "max_version": "The newest version of the API.",
    "min_unit": "The smallest amount that one allocation may take.",
    "min_version": "The oldest version of the API.",
    "name": "Its name; no two have the same.",
    "parent_provider_uuid": "The provider above it; null for a root.",
    "project_id": "The project that the consumer belongs to.",
    "provider_summaries": "How full the providers are, and what they are like.",
    "rel": "What is to be found there.",
    "request_id": "The name of the request in the logs of the service.",
    "reserved": "What is not for consumers.",
    "resource_class": "The name of the class.",
    "resource_classes": "The classes.",
    "resource_provider": "The provider.",
    "resource_provider_generation": "Grows with every change of the provider.",
    "resource_providers": "The providers.",
    "resources": "Amounts by class.",
    "root_provider_uuid": "The root of its tree: itself, if it is one.",
    "status": "The HTTP status; of versions, whether they are served.",
    "step_size": "Every amount must be a multiple of it.",
    "title": "The words for the HTTP status.",
    "total": "All that there is.",
    "traits": "Names of traits.",
    "usages": "What is used, by class.",
    "used": "What consumers have taken.",
    "user_id": "The user that the consumer belongs to.",
    "uuid": "Its UUID.",
    "versions": "The ranges of versions.",
}


def added_to(schema):
    """Return a copy of a JSON schema in which every property is described.

    Raises: KeyError for a property without a meaning.
    """
    if isinstance(schema, list):
        return [added_to(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        keyword: _described(value) if keyword == "properties" else added_to(value)
        for keyword, value in schema.items()
    }


def _described(properties):
    return {
        name: {"description": _MEANINGS[name], **added_to(schema)}
        for name, schema in properties.items()
    }
