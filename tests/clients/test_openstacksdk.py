"""openstacksdk, the library of scripts and of newer commands."""

import openstack
from openstack import exceptions

from tests.clients import interception

HOST = "5d000001-0000-4000-8000-000000000001"
INSTANCE = "5d000002-0000-4000-8000-000000000001"


class Scripts(interception.ClientTest):
    """Stories of a script that uses the proxy of the placement service."""

    def setUp(self):
        super().setUp()
        cloud = openstack.connection.Connection(
            session=self.session_of("admin"), placement_endpoint_override=interception.URL
        )
        self.placement = cloud.placement

    def make_host(self):
        host = self.placement.create_resource_provider(id=HOST, name="host")
        self.placement.create_resource_provider_inventory(host, "VCPU", total=8)
        return self.placement.get_resource_provider(HOST)

    def test_the_first_candidate_is_claimed(self):
        self.make_host()
        [candidate] = self.placement.allocation_candidates(resources="VCPU:2", limit=1)
        self.assertEqual({HOST: {"resources": {"VCPU": 2}}}, candidate.allocations)
        self.assertEqual({"": [HOST]}, candidate.mappings)
        self.placement.update_allocation(
            INSTANCE,
            allocations=candidate.allocations,
            project_id="project",
            user_id="user",
            consumer_type="INSTANCE",
            consumer_generation=None,
        )
        self.assertEqual(1, self.placement.get_allocation(INSTANCE).consumer_generation)
        self.placement.delete_allocation(INSTANCE)
        self.assertEqual({}, self.placement.get_allocation(INSTANCE).allocations)

    def test_the_inventory_of_a_host_and_new_traits_and_classes_are_read(self):
        host = self.make_host()
        inventory = self.placement.get_resource_provider_inventory("VCPU", host)
        self.assertEqual((8, 0), (inventory.total, inventory.reserved))
        self.placement.create_trait("CUSTOM_FAST")
        self.assertIn("CUSTOM_FAST", [trait.id for trait in self.placement.traits()])
        self.placement.create_resource_class(name="CUSTOM_LICENCE")
        self.assertIn("CUSTOM_LICENCE", [c.name for c in self.placement.resource_classes()])

    def test_a_host_that_does_not_exist_is_not_found(self):
        self.assertEqual([], list(self.placement.resource_providers()))
        self.assertRaises(
            exceptions.NotFoundException, self.placement.get_resource_provider, HOST
        )

    def test_a_second_host_of_the_same_name_is_a_conflict(self):
        self.make_host()
        self.assertRaises(
            exceptions.ConflictException,
            self.placement.create_resource_provider, name="host",
        )
