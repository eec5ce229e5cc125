"""Providers, inventories, aggregates, classes and allocations -> documents to send as JSON. Pure.

`prefix` is the path under which the service is mounted. Flags such as `with_parent`, from
version_flags.py, say what a version shows.
"""

import orjson

# Stands for the uuid of any provider.
_UUID = "{uuid}"

# The largest integer in 64 bits.
_LARGEST_INTEGER = 2**63 - 1

_INVENTORY_VALUES = (
    "total",
    "reserved",
    "min_unit",
    "max_unit",
    "step_size",
    "allocation_ratio",
)


def resource_providers(prefix, *, relations, with_parent):
    """Return a function that makes a document from a provider, a ShownProvider or the like.

    `prefix` begins the service's URLs, and `relations` are what a provider links to, such as
    "inventories". The links are most of the document, so their JSON is made only once for a list of
    providers, between which only the uuid in the links differs.
    """
    self_link = f"{prefix}/resource_providers/{_UUID}"
    links = [{"rel": "self", "href": self_link}]
    links += [{"rel": name, "href": f"{self_link}/{name}"} for name in relations]
    # The JSON of the links, split where the uuid belongs.
    around_uuid = orjson.dumps(links).decode().split(_UUID)

    def presented(provider):
        own_links = orjson.Fragment(provider.uuid.join(around_uuid))
        return resource_provider(provider, with_parent=with_parent, links=own_links)

    return presented


def resource_provider(provider, *, with_parent, **more):
    """Return the document of a ShownProvider or ProviderRow; `more` are further fields."""
    document = {
        "uuid": provider.uuid,
        "name": provider.name,
        "generation": provider.generation,
        **more,
    }
    if with_parent:
        document["parent_provider_uuid"] = provider.parent_provider_uuid
        document["root_provider_uuid"] = provider.root_provider_uuid
    return document


def named(provider):
    """Return the part of a document that names a provider or host."""
    shown = {"uuid": provider.uuid, "name": provider.name}
    return shown | ({"disabled": True} if provider.is_disabled else {})


def inventory(inventory, written=None):
    """Return the six values of an inventory, without class and generation.

    The answer to a write spells numbers as the client did in the body of the write, `written`: an
    integer may be 8.0 there, and a ratio may be 1. Later reads show 8 and 1.0.
    """
    document = {name: getattr(inventory, name) for name in _INVENTORY_VALUES}
    if written:
        document |= {name: _spelled(written[name]) for name in document if name in written}
    return document


def _spelled(number):
    """Return a number in a form that orjson can write; a ratio may be too large for it."""
    return orjson.Fragment(str(number)) if abs(number) > _LARGEST_INTEGER else number


def inventories(inventories, generation, written=None):
    """Return the document of all inventories of a provider.

    `written` is {class: its values in the body of a write}; see inventory().
    """
    written = written or {}
    return {
        "resource_provider_generation": generation,
        "inventories": {
            row.resource_class: inventory(row, written.get(row.resource_class))
            for row in inventories
        },
    }


def aggregates(uuids, provider_generation, *, with_generation):
    """Return the document of the aggregates of a provider."""
    document = {"aggregates": uuids}
    if with_generation:
        document["resource_provider_generation"] = provider_generation
    return document


def resource_class(name, prefix):
    """Return the document of a resource class."""
    return {
        "name": name,
        "links": [{"rel": "self", "href": f"{prefix}/resource_classes/{name}"}],
    }


def allocations_of_consumer(held, *, with_owner, with_generation, with_consumer_type):
    """Return the document of a ConsumerAllocations; None stands for a consumer without allocations.

    The flags say what is shown besides the allocations.
    """
    if held is None:
        return {"allocations": {}}
    allocations = {}
    for allocation in held.allocations:
        by_provider = allocations.setdefault(
            allocation.resource_provider_uuid,
            {"resources": {}, "generation": allocation.resource_provider_generation},
        )
        by_provider["resources"][allocation.resource_class] = allocation.amount
    document = {"allocations": allocations}
    if with_owner:
        document["project_id"] = held.consumer.project_id
        document["user_id"] = held.consumer.user_id
    if with_generation:
        document["consumer_generation"] = held.consumer.generation
    if with_consumer_type:
        document["consumer_type"] = held.consumer.consumer_type
    return document


def allocations_on_provider(rows, provider_generation, *, with_generation):
    """Return the document of the allocations from a provider.

    A row says how much of a class a consumer takes. With `with_generation`, the document also has
    the generation of each consumer.
    """
    allocations = {}
    for row in rows:
        by_consumer = allocations.setdefault(row.consumer_uuid, {"resources": {}})
        by_consumer["resources"][row.class_name] = row.amount
        if with_generation:
            by_consumer["consumer_generation"] = row.consumer_generation
    return {"allocations": allocations, "resource_provider_generation": provider_generation}
