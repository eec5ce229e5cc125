import orjson
import testtools

from placement import microversion
from placement.db.allocations import AllocationOnProvider
from placement.db.resource_providers import ShownProvider
from placement.documents import resources
from placement.microversion import Since, version_flags
from placement.objects import allocation, consumer, inventory

UUID = "aaaaaaaa-0000-4000-8000-000000000001"
PARENT = "aaaaaaaa-0000-4000-8000-000000000002"
CONSUMER = "cccccccc-0000-4000-8000-000000000001"


def row(kind, **fields):
    """Return a row of a NamedTuple; what is not shown here may be missing."""
    return kind(**dict.fromkeys(kind._fields) | fields)


def provider_at(version, prefix="", *, parent_uuid=None, root_uuid=UUID):
    """Return what is shown of one provider in a (major, minor) version."""
    form = version_flags.resource_provider(lambda behaviour: version >= behaviour.value)
    shown = row(
        ShownProvider,
        uuid=UUID,
        name="cn1",
        generation=3,
        parent_provider_uuid=parent_uuid,
        root_provider_uuid=root_uuid,
    )
    return orjson.loads(orjson.dumps(resources.resource_providers(prefix, **form)(shown)))


class ProviderTest(testtools.TestCase):
    def test_a_provider_of_the_first_version_has_three_links(self):
        self.assertEqual(
            {
                "uuid": UUID,
                "name": "cn1",
                "generation": 3,
                "links": [
                    {"rel": "self", "href": f"/resource_providers/{UUID}"},
                    {"rel": "inventories", "href": f"/resource_providers/{UUID}/inventories"},
                    {"rel": "usages", "href": f"/resource_providers/{UUID}/usages"},
                ],
            },
            provider_at((1, 0), parent_uuid=PARENT, root_uuid=PARENT),
        )

    def test_links_of_a_provider_appear_with_the_version_of_their_target(self):
        relations = {
            (1, 0): [],
            (1, 1): ["aggregates"],
            (1, 5): ["aggregates"],
            (1, 6): ["aggregates", "traits"],
            (1, 11): ["aggregates", "traits", "allocations"],
            microversion.MAXIMUM: ["aggregates", "traits", "allocations"],
        }
        for version, later in relations.items():
            links = provider_at(version)["links"]
            self.assertEqual(
                ["self", "inventories", "usages", *later], [link["rel"] for link in links]
            )

    def test_parent_and_root_are_shown_since_there_are_trees(self):
        nested = Since.NESTED_PROVIDERS.value
        child = provider_at(nested, parent_uuid=PARENT, root_uuid=PARENT)
        self.assertEqual(PARENT, child["parent_provider_uuid"])
        self.assertEqual(PARENT, child["root_provider_uuid"])
        older = provider_at((1, 13), parent_uuid=PARENT, root_uuid=PARENT)
        self.assertNotIn("parent_provider_uuid", older)
        self.assertNotIn("root_provider_uuid", older)

    def test_links_of_a_provider_start_where_the_service_is_mounted(self):
        provider = provider_at((1, 0), "/placement")
        self.assertEqual(f"/placement/resource_providers/{UUID}", provider["links"][0]["href"])
        self.assertEqual(
            "/placement/resource_classes/VCPU",
            resources.resource_class("VCPU", "/placement")["links"][0]["href"],
        )


class InventoryTest(testtools.TestCase):
    def test_an_inventory_shows_all_six_values(self):
        values = {
            "total": 16,
            "reserved": 0,
            "min_unit": 1,
            "max_unit": 2147483647,
            "step_size": 1,
            "allocation_ratio": 4.0,
        }
        vcpus = inventory.Inventory.from_request("VCPU", {"total": 16, "allocation_ratio": 4})
        self.assertEqual(values, resources.inventory(vcpus))
        self.assertEqual(
            {"resource_provider_generation": 5, "inventories": {"VCPU": values}},
            resources.inventories([vcpus], 5),
        )

    def test_numbers_are_spelled_as_the_client_wrote_them(self):
        for written, expected in (
            ({"total": 16.0, "allocation_ratio": 4}, (b"16.0", b"4")),
            ({"total": 16, "allocation_ratio": -(10**30)}, (b"16", b"-1" + 30 * b"0")),
            ({"total": 16, "allocation_ratio": 2**63}, (b"16", b"9223372036854775808")),
            ({"total": 16}, (b"16", b"1.0")),
        ):
            vcpus = inventory.Inventory.from_request("VCPU", written)
            shown = resources.inventory(vcpus, written)
            found = (orjson.dumps(shown["total"]), orjson.dumps(shown["allocation_ratio"]))
            self.assertEqual(expected, found)


class AllocationsTest(testtools.TestCase):
    found = allocation.ConsumerAllocations(
        consumer=consumer.Consumer(
            uuid=CONSUMER, project_id="p", user_id="u", generation=2, consumer_type="INSTANCE"
        ),
        allocations=[
            allocation.Allocation(
                resource_provider_uuid=UUID,
                resource_provider_generation=7,
                resource_class=class_name,
                amount=amount,
            )
            for class_name, amount in (("VCPU", 2), ("MEMORY_MB", 512))
        ],
    )

    def test_the_classes_allocated_from_a_provider_are_in_one_item(self):
        self.assertEqual(
            {"allocations": {UUID: {"resources": {"VCPU": 2, "MEMORY_MB": 512}, "generation": 7}}},
            resources.allocations_of_consumer(
                self.found, with_owner=False, with_generation=False, with_consumer_type=False
            ),
        )

    def test_each_version_shows_the_fields_of_the_consumer_that_it_has(self):
        document = resources.allocations_of_consumer(
            self.found, with_owner=True, with_generation=True, with_consumer_type=True
        )
        del document["allocations"]
        self.assertEqual(
            {
                "project_id": "p",
                "user_id": "u",
                "consumer_generation": 2,
                "consumer_type": "INSTANCE",
            },
            document,
        )

    def test_a_consumer_without_allocations_has_an_empty_document(self):
        self.assertEqual(
            {"allocations": {}},
            resources.allocations_of_consumer(
                None, with_owner=True, with_generation=True, with_consumer_type=True
            ),
        )

    def test_a_provider_lists_its_consumers(self):
        rows = [
            row(
                AllocationOnProvider,
                consumer_uuid=uuid,
                consumer_generation=generation,
                class_name=class_name,
                amount=amount,
            )
            for uuid, generation, class_name, amount in (
                (CONSUMER, 2, "VCPU", 1),
                (CONSUMER, 2, "DISK_GB", 5),
                (PARENT, 1, "VCPU", 3),
            )
        ]
        self.assertEqual(
            {
                "allocations": {
                    CONSUMER: {"resources": {"VCPU": 1, "DISK_GB": 5}},
                    PARENT: {"resources": {"VCPU": 3}},
                },
                "resource_provider_generation": 9,
            },
            resources.allocations_on_provider(rows, 9, with_generation=False),
        )
        with_generation = resources.allocations_on_provider(rows, 9, with_generation=True)
        self.assertEqual(2, with_generation["allocations"][CONSUMER]["consumer_generation"])
