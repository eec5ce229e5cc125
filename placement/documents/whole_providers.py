"""Providers with everything they have: as documents, and as JSON in pieces."""

import orjson

from placement.documents import FORMAT, resources
from placement.objects.consumer import shown_owner


def as_json(provider):
    """Return the JSON of a WholeProvider."""
    return orjson.dumps(document(provider))


def as_lines(texts):
    """Yield a line for each of the results of as_json()."""
    for text in texts:
        yield text + b"\n"


def as_document(texts):
    """Yield a document in pieces, but without its end; `texts` are the results of as_json()."""
    # The beginning: {"format":1,"resource_providers":[
    yield orjson.dumps(FORMAT | {"resource_providers": []}).removesuffix(b"]}")
    for number, text in enumerate(texts):
        yield b"," + text if number else text


def end_of_document(position=None):
    """Return the end of a document; `position` is that of the last change that is in it."""
    if position is None:
        return b"]}"
    return b"]," + orjson.dumps({"changes_after": position}).removeprefix(b"{")


def document(whole):
    """Return the document of a WholeProvider, without allocations if they were not requested."""
    shown = resources.resource_provider(whole.provider, with_parent=True) | {
        "inventories": {row.resource_class: _inventory_with_use(row) for row in whole.inventories},
        "traits": whole.traits,
        "aggregates": whole.aggregates,
    }
    if whole.allocations is not None:
        shown["allocations"] = _allocations_with_owner(whole.allocations)
    return shown


def _inventory_with_use(row):
    return resources.inventory(row) | {"capacity": row.capacity, "used": row.used}


def _allocations_with_owner(rows):
    """Return {uuid of a consumer: its amounts and owner}; a row has one amount of a consumer."""
    allocations = {}
    for row in rows:
        if row.consumer_uuid not in allocations:
            allocations[row.consumer_uuid] = {"resources": {}, **shown_owner(row)}
        allocations[row.consumer_uuid]["resources"][row.resource_class] = row.amount
    return allocations
