"""What the properties of bodies mean, and their defaults where a request leaves them out."""

from placement.documents import present
from placement.objects.inventory import Inventory

# By name, or by the end of the path to it; the longest match counts. A path begins with the name
# of an operation and `request` or `answer`; keys that the client chooses, such as UUIDs, are not
# part of it.
_MEANINGS = {
    "aggregates": "UUIDs of aggregates.",
    "list_provider_allocations.answer.allocations": "What is taken of it, by consumer.",
    "allocation_ratio": "How many times over the rest may be promised.",
    "allocation_requests": "What could be claimed, each request as it stands.",
    "allocation_requests.allocations": "What would be taken, by provider.",
    "allocation_requests.mappings": "By suffix of a request group, the providers that serve it.",
    "allocations": "What the consumer takes, by provider.",
    "allocations.generation": "The generation of the provider; ignored.",
    "answer.allocations.consumer_generation": "Grows with every change of the consumer.",
    "answer.allocations.generation": "Grows with every change of the provider.",
    "answer.consumer_generation": "Grows with every change of the consumer.",
    "answer.consumer_type": "What kind of thing the consumer is; unknown: none was given.",
    "candidates": "How many there are, counted up to a thousand.",
    "capacity": "(total - reserved) * allocation_ratio, cut to a whole number.",
    "show_capacity.answer.rows": "Sums over the providers that offer a class.",
    "show_capacity.answer.rows.aggregate": "Its UUID, where the sums are by aggregate.",
    "show_capacity.answer.rows.full": "How many have nothing left of it.",
    "show_capacity.answer.rows.largest_free": "The most that one of them has left of it.",
    "show_capacity.answer.rows.providers": "How many providers offer it.",
    "show_capacity.answer.rows.trait": "Its name, where the sums are by trait.",
    "show_capacity.answer.by": "What the sums are by; all providers count for each class.",
    "show_capacity.answer.hosts": "How many root providers there are.",
    "show_capacity.answer.fullest": "The inventories of which the largest part is used.",
    "show_service.answer.database": "mysql (which MariaDB is, too), postgresql or sqlite.",
    "show_service.answer.max_version": "The newest microversion that it speaks.",
    "show_service.answer.release": "The release of the service.",
    "checks": "What each check found.",
    "checks.check": "Its name.",
    "checks.count": "How many there are.",
    "checks.examples": "The first ten of them.",
    "checks.is_fault": "Whether a sound ledger has none.",
    "checks.is_repairable": "Whether they can be repaired while the service runs.",
    "checks.meaning": "What they say of the cloud where they are no faults; null for faults.",
    "checks.question": "What is checked.",
    "class": "The name of a resource class.",
    "closest": "The hosts that almost have candidates, closest first.",
    "closest.unmet": "What the host does not meet.",
    "unmet.reserved": "What is reserved of the class there, if it would be enough otherwise.",
    "unmet.serving": "Who would serve each group if it were not for this constraint.",
    "unmet.unit": (
        "Of resources: the max_unit, min_unit or step_size that stands against the amount."
    ),
    "constraint": (
        "A parameter of the query; not_member_of, forbidden and root_forbidden for what it "
        "excludes; together for hosts that meet each of them, but not all at once."
    ),
    "constraints": "What the query asks for, one by one.",
    "constraints.fail": "Hosts that do not meet it, looked at alone.",
    "constraints.left": "Hosts that meet it and all the constraints before it.",
    "constraints.limits": (
        "Of resources: by reason, what the most generous of the best providers allows; capacity is "
        "what is free there."
    ),
    "constraints.most_free": (
        "Of resources: the largest amount that is free on the best provider of a host that does "
        "not meet it."
    ),
    "constraints.only": "Hosts that would have candidates without it, and have none with it.",
    "constraints.why": (
        "Of resources: how many hosts do not meet it, by the reason of their best provider, one of "
        "those of unmet. The best one could give most of the amount."
    ),
    "consumer_generation": "The consumer's, as last read; null: it must not exist.",
    "consumer_type": "What kind of thing the consumer is.",
    "created_at": "When the consumer was created, in UTC; null where nobody knows.",
    "detail": "A sentence for people.",
    "error": "What went wrong.",
    "error.code": "The HTTP status.",
    "errors": "What went wrong: always one.",
    "errors.code": "A word for programs: what kind of error it is.",
    "errors.max_version": "The newest version of the API, if that asked for does not exist.",
    "errors.min_version": "The oldest version of the API, if that asked for does not exist.",
    "example": "One of these hosts.",
    "fit": "How often the request could be claimed.",
    "hosts": "The hosts on which it could be, in the order in which they are filled.",
    "hosts.name": "The host's; one that is only thought of has that of its model, and a number.",
    "hosts.uuid": "The host's; null for one that is only thought of.",
    "format": "The form of the answer; it grows by new members only.",
    "free": "Of resources: what is free of the class on the provider.",
    "generation": "Grows with every change of the provider.",
    "group": "The suffix of the request group, empty if it has none; null for the whole query.",
    "explain_candidates.answer.host": "The only host that was asked, where one was.",
    "explain_candidates.answer.hosts": "Roots, with the trees below them.",
    "hosts.all": "How many there are.",
    "hosts.pass": "How many have candidates.",
    "href": "A path, with the prefix that the service is mounted under.",
    "id": "The name of a range of versions.",
    "inventories": "What the provider has, by class.",
    "inventories.inventories.resource_provider_generation": "Ignored.",
    "create_inventory.request.resource_provider_generation": "Ignored.",
    "replace_inventories.request.inventories.resource_provider_generation": "Ignored.",
    "is_sound": "Whether no check found a fault.",
    "list_whole_providers.answer.resource_providers.allocations": (
        "What is taken, by consumer, if the query asks for it."
    ),
    "list_whole_providers.answer.resource_providers.allocations.consumer_generation": (
        "Grows with every change of the consumer."
    ),
    "list_whole_providers.answer.resource_providers.allocations.consumer_type": (
        "What kind of thing the consumer is; unknown: none was given."
    ),
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
    "error_plain.code": "The HTTP status, with the words for it.",
    "provider": "The provider of the host that came closest.",
    "query": "The query, as it was sent.",
    "rel": "What the link leads to.",
    "relaxations": "Single changes that would help, most hosts first.",
    "relaxations.also": (
        "What else has to change, as the query would be refused otherwise; often nothing."
    ),
    "relaxations.hosts": "How many hosts that have no candidates would have some then.",
    "also.instead": "What to ask for; null: give the constraint up.",
    "relaxations.instead": "What to ask for; null: give the constraint up.",
    "repair": "Names of checks; without it, all whose findings can be repaired.",
    "repaired": "How many were repaired, by check.",
    "request.resource_provider_generation": "The provider's, as last read.",
    "request.uuid": "Its UUID; the service chooses one if there is none.",
    "request_id": "Identifies the request in the logs of the service.",
    "reserved": "The amount that is not for consumers.",
    "reshape.request.allocations": "Everything that each consumer takes, by consumer.",
    "reshape.request.inventories": "Everything that each provider has, by provider.",
    "reshape.request.inventories.resource_provider_generation": (
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
    "summary": "The constraints in one sentence, for people.",
    "count_fits.answer.stopped_by": "How many hosts are stopped by what, as in hosts.",
    "hosts.stopped_by": (
        "What keeps it from fitting once more: a class, or a constraint as an explanation names "
        "it; null: the bound was reached."
    ),
    "stranded": "What is left of each class on hosts that only lack room.",
    "title": "The words for the HTTP status.",
    "total": "The amount that there is in all.",
    "traits": "Names of traits.",
    "unknown": "Names in the query that do not exist.",
    "unknown.kind": "What it would be the name of: resource class, trait, aggregate or provider.",
    "unknown.name": "The name.",
    "unknown.suggestions": "The names that were probably meant, likeliest first.",
    "show_project_usages.answer.usages": (
        "What is used: amounts by class or, where consumers have types, that by type."
    ),
    "usages": "What is used, by class.",
    "used": "What consumers have taken.",
    "user_id": "The user that the consumer belongs to.",
    "uuid": "Its UUID.",
    "value": "What the query says of it.",
    "versions": "The ranges of versions.",
    "versions.max_version": "The newest version of the API.",
    "versions.min_version": "The oldest version of the API.",
    "versions.status": "Whether they are served.",
    "why": (
        "Of resources: what keeps the amount from fitting, no_inventory, step_size, min_unit, "
        "max_unit or capacity."
    ),
}

# An inventory of which only the total is given gets the defaults of the rest.
_GIVEN = {"total": 1}
_DEFAULTS = {
    name: value
    for name, value in present.inventory(Inventory.from_request("", _GIVEN)).items()
    if name not in _GIVEN
}


def added_to(schema, *path):
    """Return a copy of the JSON schema at `path` in which every property is described.

    Raises: KeyError for a property without a meaning.
    """
    if isinstance(schema, list):
        return [added_to(each, *path) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        keyword: _described(value, path) if keyword == "properties" else added_to(value, *path)
        for keyword, value in schema.items()
    }


def _described(properties, path):
    described = {}
    for name, schema in properties.items():
        described[name] = {"description": _meaning(*path, name), **added_to(schema, *path, name)}
        if "request" in path and name in _DEFAULTS:
            described[name]["default"] = _DEFAULTS[name]
    return described


def _meaning(*path):
    end = ".".join(path)
    return _MEANINGS[end] if end in _MEANINGS or len(path) == 1 else _meaning(*path[1:])
