"""What nova asks for an instance of a flavor."""

import testtools

from placement.flavors.nova import Sizes, request

SMALL = Sizes(vcpus=2, ram=4096, disk=20)
ENABLED = "&root_required=!COMPUTE_STATUS_DISABLED"


class Requests(testtools.TestCase):
    """If a test fails, operators count instances that nova would not ask for."""

    def assert_asks(self, expected, sizes=SMALL, ignored=(), left_to_nova=(), **specs):
        found = request(sizes, {key.replace("__", ":"): value for key, value in specs.items()})
        self.assertEqual(expected + ENABLED, found.query)
        self.assertEqual(list(ignored), found.ignored)
        self.assertEqual(list(left_to_nova), found.left_to_nova)

    def test_sizes_are_amounts(self):
        self.assert_asks("resources=MEMORY_MB:4096,DISK_GB:20,VCPU:2")

    def test_disks_and_swap_add_up_to_whole_gibibytes(self):
        sizes = SMALL._replace(ephemeral=5, swap=1025)
        self.assert_asks("resources=MEMORY_MB:4096,DISK_GB:27,VCPU:2", sizes)

    def test_a_flavor_without_a_disk_asks_for_none(self):
        self.assert_asks("resources=MEMORY_MB:4096,VCPU:2", SMALL._replace(disk=0))

    def test_a_spec_replaces_the_size_and_zero_removes_it(self):
        self.assert_asks(
            "resources=MEMORY_MB:8192,CUSTOM_GOLD:1",
            resources__VCPU="0",
            resources__MEMORY_MB="8192",
            resources__DISK_GB="0",
            resources__CUSTOM_GOLD="1",
        )

    def test_traits_are_required_or_forbidden(self):
        self.assert_asks(
            "resources=MEMORY_MB:4096,DISK_GB:20,VCPU:2&required=CUSTOM_A,!CUSTOM_B",
            trait__CUSTOM_A="required",
            trait__CUSTOM_B="forbidden",
        )

    def test_suffixes_are_groups(self):
        self.assert_asks(
            "resources=MEMORY_MB:4096,DISK_GB:20,VCPU:2&resources1=PGPU:1&required1=CUSTOM_A"
            "&resources_b=PGPU:2&group_policy=isolate",
            resources1__PGPU="1",
            trait1__CUSTOM_A="required",
            resources_b__PGPU="2",
            group_policy="isolate",
        )

    def test_pinned_processors_are_pcpus(self):
        pinned = "resources=MEMORY_MB:4096,DISK_GB:20,PCPU:2"
        self.assert_asks(pinned, hw__cpu_policy="dedicated")
        self.assert_asks(
            f"{pinned}&required=!HW_CPU_HYPERTHREADING",
            hw__cpu_policy="dedicated",
            hw__cpu_thread_policy="isolate",
        )
        self.assert_asks(
            "resources=MEMORY_MB:4096,DISK_GB:20,PCPU:3",
            hw__cpu_policy="dedicated",
            hw__emulator_threads_policy="isolate",
        )

    def test_a_mask_says_how_many_processors_are_pinned(self):
        for mask, pinned in (
            ("0-2", 3), ("^0", 0), ("0-9,^1", 7), ("1,3", 2), ("0-3,2-5,^3-4,^4", 4), ("5-2,9", 0),
            (" 0 - 3, ,^ 1", 3),
        ):
            self.assert_asks(
                f"resources=MEMORY_MB:4096,PCPU:{pinned},VCPU:{8 - pinned}".replace(
                    "PCPU:0,", ""
                ),
                Sizes(vcpus=8, ram=4096),
                hw__cpu_policy="mixed",
                hw__cpu_dedicated_mask=mask,
            )

    def test_a_mask_that_cannot_be_read_is_listed(self):
        for mask, pinned in (("a,0-1", 2), ("1-2-3,4", 1), ("0,^", 1)):
            self.assert_asks(
                f"resources=MEMORY_MB:4096,PCPU:{pinned},VCPU:{8 - pinned}",
                Sizes(vcpus=8, ram=4096),
                ignored=[f"hw:cpu_dedicated_mask={mask}"],
                hw__cpu_policy="mixed",
                hw__cpu_dedicated_mask=mask,
            )

    def test_a_mask_of_more_processors_than_there_are_costs_nothing(self):
        self.assert_asks(
            f"resources=PCPU:{10**17 - 1},VCPU:1",
            Sizes(vcpus=10**17),
            hw__cpu_policy="mixed",
            hw__cpu_dedicated_mask=f"0-{10**17},^1",
        )

    def test_characters_with_a_meaning_in_query_strings_are_escaped(self):
        self.assert_asks(
            "resources=CUSTOM_PMEM_NAMESPACE_A%26B:1", Sizes(), hw__pmem="a&b"
        )

    def test_encrypted_memory_persistent_memory_and_tpms_are_asked_for(self):
        self.assert_asks(
            "resources=MEMORY_MB:4096,DISK_GB:20,VCPU:2,MEM_ENCRYPTION_CONTEXT:1,"
            "CUSTOM_PMEM_NAMESPACE_6GB:2&required=COMPUTE_SECURITY_TPM_2_0",
            hw__mem_encryption="True",
            hw__pmem="6GB,6GB",
            hw__tpm_version="2.0",
        )

    def test_extra_specs_that_are_not_covered_are_listed(self):
        self.assert_asks(
            "resources=MEMORY_MB:4096,DISK_GB:20,VCPU:2",
            ignored=["pci_passthrough:alias=a:1", "trait:CUSTOM_A=maybe", "resources:VCPU=many"],
            left_to_nova=["hw:numa_nodes=2"],
            hw__numa_nodes="2",
            hw__cpu_policy="shared",
            pci_passthrough__alias="a:1",
            trait__CUSTOM_A="maybe",
            resources__VCPU="many",
        )
