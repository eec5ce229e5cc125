"""How many members the lists and maps of a body may have."""

import testtools

from placement.schemas import aggregate, allocation, inventory, reshaper, trait
from placement.schemas.operator import audit

KNOWN = {"with_generation": True, "with_mappings": True, "with_consumer_type": True}
OWNER = {"project_id": "p", "user_id": "u"}
VCPU = {"resources": {"VCPU": 1}}


def uuids(count):
    return [f"aaaaaaaa-0000-4000-8000-{number:012}" for number in range(count)]


def classes(count, value):
    return {f"CUSTOM_{number}": value for number in range(count)}


def traits(count):
    return {"traits": ["A"] * count, "resource_provider_generation": 1}


def aggregates(count):
    return {"aggregates": uuids(count), "resource_provider_generation": 1}


def inventories(count):
    return {"inventories": classes(count, {"total": 1}), "resource_provider_generation": 1}


def consumer(allocations, **given):
    return {
        "allocations": allocations,
        "consumer_generation": None,
        "consumer_type": "T",
        **OWNER,
        **given,
    }


def listed(count):
    item = {"resource_provider": {"uuid": uuids(1)[0]}} | VCPU
    return {"allocations": [item] * count}


def reshape(providers, consumers):
    return {
        "inventories": dict.fromkeys(uuids(providers), inventories(0)),
        "allocations": dict.fromkeys(uuids(consumers), consumer({})),
    }


BOUNDS = [
    (10_000, trait.replace(), traits, "is too long"),
    (10_000, aggregate.replace(with_generation=False), uuids, "is too long"),
    (10_000, aggregate.replace(with_generation=True), aggregates, "is too long"),
    (1000, inventory.replace_all(), inventories, "has too many properties"),
    (1000, allocation.replace_listed(with_owner=False), listed, "is too long"),
    (
        1000,
        allocation.replace(**KNOWN),
        lambda count: consumer(dict.fromkeys(uuids(count), VCPU)),
        "has too many properties",
    ),
    (
        1000,
        allocation.replace(**KNOWN),
        lambda count: consumer({uuids(1)[0]: {"resources": classes(count, 1)}}),
        "has too many properties",
    ),
    (
        1000,
        allocation.replace(**KNOWN),
        lambda count: consumer({}, mappings=classes(count, uuids(1))),
        "has too many properties",
    ),
    (
        1000,
        allocation.replace(**KNOWN),
        lambda count: consumer({}, mappings={"": uuids(1), "_1": uuids(count)}),
        "is too long",
    ),
    (
        10_000,
        allocation.replace_many(**KNOWN),
        lambda count: dict.fromkeys(uuids(count), consumer({})),
        "has too many properties",
    ),
    (3, audit.repair("ABC"), lambda count: {"repair": list("ABCD"[:count])}, "is too long"),
    (
        20_000,
        reshaper.reshape(**KNOWN),
        lambda count: reshape(count, 0),
        "has too many properties",
    ),
    (
        20_000,
        reshaper.reshape(**KNOWN),
        lambda count: reshape(1, count),
        "has too many properties",
    ),
]


class Bounds(testtools.TestCase):
    def test_the_number_of_items_is_limited(self):
        for most, validator, document_of, said in BOUNDS:
            self.assertIsNone(validator.complaint(document_of(most)))
            message, _, _ = validator.complaint(document_of(most + 1)).partition("\n")
            self.assertTrue(message.endswith(said), message)
