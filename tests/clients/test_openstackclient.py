"""The `openstack` command with osc-placement. Its own code runs in this process."""

from osc_placement import version

from tests.clients import openstack_shell

HOST_1 = "0c000001-0000-4000-8000-000000000001"
HOST_2 = "0c000001-0000-4000-8000-000000000002"
NUMA_NODE = "0c000001-0000-4000-8000-000000000011"
RACK = "0c000002-0000-4000-8000-000000000001"
INSTANCE = "0c000003-0000-4000-8000-000000000001"


class OpenStackCommand(openstack_shell.ShellTest):
    """Stories of a user who types commands."""

    def claim(self, resources, provider=HOST_1):
        """The command that claims `resources`, for instance VCPU=2, for INSTANCE."""
        return (
            f"resource provider allocation set {INSTANCE} --allocation rp={provider},{resources}"
            " --project-id project --user-id user --consumer-type INSTANCE"
        )

    def usages_of_host(self):
        return self.usages(f"resource provider usage show {HOST_1}")

    def usages_of_project(self):
        # Usages by consumer type, as in later microversions, cannot be shown as a table.
        return self.usages("resource usage show project", microversion="1.37")

    def usages(self, command, **options):
        return {row["resource_class"]: row["usage"] for row in self.table(command, **options)}

    def test_a_host_with_a_gpu_is_found_claimed_and_released(self):
        self.make_host(HOST_1, "host-1", VCPU=8, MEMORY_MB=4096)
        self.make_host(HOST_2, "host-2", VCPU=8, MEMORY_MB=4096)
        self.table(
            f"resource provider create --uuid {NUMA_NODE} --parent-provider {HOST_1} numa-node"
        )
        self.table(f"resource provider inventory set {NUMA_NODE} --resource PGPU=1")
        self.openstack("trait create CUSTOM_FAST")
        self.table(f"resource provider trait set {HOST_1} --trait CUSTOM_FAST")
        self.table(f"resource provider aggregate set {HOST_1} --aggregate {RACK} --generation 2")

        wanted = "allocation candidate list --resource VCPU=2 --resource PGPU=1"
        found = self.table(f"{wanted} --member-of {RACK} --required CUSTOM_FAST")
        self.assertEqual(
            {HOST_1: "VCPU=2", NUMA_NODE: "PGPU=1"},
            {row["resource provider"]: row["allocation"] for row in found},
        )
        self.assertEqual([], self.table(f"{wanted} --forbidden CUSTOM_FAST"))

        claimed = self.table(f"{self.claim('VCPU=2')} --allocation rp={NUMA_NODE},PGPU=1")
        self.assertEqual(
            {HOST_1: {"VCPU": 2}, NUMA_NODE: {"PGPU": 1}},
            {row["resource_provider"]: row["resources"] for row in claimed},
        )
        self.assertEqual({"VCPU": 2, "MEMORY_MB": 0}, self.usages_of_host())
        self.assertEqual({"VCPU": 2, "PGPU": 1}, self.usages_of_project())
        self.assertEqual([], self.table(wanted))

        self.openstack(f"resource provider allocation delete {INSTANCE}")
        self.assertEqual({}, self.usages_of_project())
        self.assertEqual(2, len(self.table(wanted)))

    def test_a_group_of_resources_comes_from_one_provider(self):
        self.make_host(HOST_1, "host-1", VCPU=2)
        self.make_host(HOST_2, "host-2", VCPU=8)
        found = self.table(
            "allocation candidate list --group 1 --resource VCPU=2"
            " --group 2 --resource VCPU=3 --group-policy none"
        )
        self.assertEqual(
            [(HOST_2, "VCPU=5")],
            [(row["resource provider"], row["allocation"]) for row in found],
        )

    def test_a_claim_is_reduced_by_one_provider(self):
        self.make_host(HOST_1, "host-1", VCPU=8)
        self.make_host(HOST_2, "host-2", VCPU=8)
        self.table(f"{self.claim('VCPU=2')} --allocation rp={HOST_2},VCPU=1")
        left = self.table(f"resource provider allocation unset {INSTANCE} --provider {HOST_1}")
        self.assertEqual([HOST_2], [row["resource_provider"] for row in left])

    def test_a_claim_of_more_than_the_inventory_is_refused(self):
        self.make_host(HOST_1, "host-1", VCPU=8)
        self.assert_refused("Unable to allocate inventory", self.claim("VCPU=9"))
        self.assertEqual({"VCPU": 0}, self.usages_of_host())

    def test_the_hosts_of_an_aggregate_get_the_same_inventory(self):
        for uuid, name in [(HOST_1, "host-1"), (HOST_2, "host-2")]:
            self.make_host(uuid, name, VCPU=8)
            self.table(f"resource provider aggregate set {uuid} --aggregate {RACK} --generation 1")
        self.table(
            f"resource provider inventory set {RACK} --aggregate --amend"
            " --resource VCPU:allocation_ratio=4.0"
        )
        for uuid in (HOST_1, HOST_2):
            inventory = self.table(f"resource provider inventory show {uuid} VCPU")
            self.assertEqual((4.0, 8), (inventory["allocation_ratio"], inventory["total"]))

    def test_inventory_is_changed_class_by_class(self):
        self.make_host(HOST_1, "host-1", VCPU=8, DISK_GB=100)
        self.table(f"resource provider inventory class set {HOST_1} VCPU --total 16")
        self.openstack(f"resource provider inventory delete {HOST_1} --resource-class DISK_GB")
        self.assertEqual(
            [("VCPU", 16, 0)],
            [
                (row["resource_class"], row["total"], row["used"])
                for row in self.table(f"resource provider inventory list {HOST_1}")
            ],
        )

    def test_names_of_classes_and_traits_come_and_go(self):
        self.openstack("resource class create CUSTOM_LICENCE")
        self.openstack("resource class set CUSTOM_LICENCE")
        self.openstack("trait create CUSTOM_FAST")
        classes = [row["name"] for row in self.table("resource class list")]
        self.assertIn("VCPU", classes)
        self.assertIn("CUSTOM_LICENCE", classes)
        self.assertEqual(
            [{"name": "CUSTOM_FAST"}], self.table("trait list --name startswith:CUSTOM_")
        )
        self.openstack("resource class delete CUSTOM_LICENCE")
        self.openstack("trait delete CUSTOM_FAST")
        self.assert_refused("CUSTOM_LICENCE", "resource class show CUSTOM_LICENCE")
        self.assert_refused("CUSTOM_FAST", "trait show CUSTOM_FAST")

    def test_a_host_is_renamed_moved_and_removed(self):
        self.make_host(HOST_1, "host-1", VCPU=8)
        self.make_host(HOST_2, "host-2", VCPU=8)
        self.table(f"resource provider set {HOST_2} --name drawer --parent-provider {HOST_1}")
        listed = self.table(f"resource provider list --in-tree {HOST_1} --name drawer")
        self.assertEqual([HOST_1], [row["root_provider_uuid"] for row in listed])
        self.assert_refused("parent", f"resource provider delete {HOST_1}")
        self.openstack(f"resource provider delete {HOST_2}")
        self.openstack(f"resource provider delete {HOST_1}")
        self.assertEqual([], self.table("resource provider list"))

    def test_an_unknown_host_is_not_shown(self):
        self.assert_refused(
            f"No resource provider with uuid {HOST_1} found", f"resource provider show {HOST_1}"
        )

    def test_hosts_are_listed_at_every_microversion_that_the_client_knows(self):
        self.make_host(HOST_1, "host-1", VCPU=8)
        for microversion in version.SUPPORTED_VERSIONS:
            hosts = self.table("resource provider list", microversion=microversion)
            self.assertEqual([HOST_1], [row["uuid"] for row in hosts], microversion)
