"""Which candidates exist, rule by rule: R1 to R11 of doc/explanation/rules.rst."""

import itertools
import unittest

from placement.candidates.effort import COST_OF_A_CHECK, Effort, SpentError
from placement.candidates.query import ResolvedQuery
from placement.candidates.solver import anchors
from tests.trees import World


class TestCase(unittest.TestCase):
    def assert_candidates(self, world, query, *lines, **options):
        self.assertEqual(sorted(lines), World(world).candidates(query, **options))


# A host whose memory is at the root and whose processors are in two cells.
CELLS = """
h {MEMORY_MB 8} <TA> [x]
  c1 {VCPU 2} <TB> [y]
  c2 {VCPU 2}
"""
C1_AND_H = "c1(VCPU 1) + h(MEMORY_MB 1)"
C2_AND_H = "c2(VCPU 1) + h(MEMORY_MB 1)"


class UnsuffixedGroup(TestCase):
    """Rules R1 to R3."""

    def test_classes_may_come_from_different_providers_of_a_tree(self):
        self.assert_candidates(CELLS, "resources=VCPU:1,MEMORY_MB:1", C1_AND_H, C2_AND_H)

    def test_an_amount_of_a_class_is_never_split(self):
        self.assert_candidates(CELLS, "resources=VCPU:3,MEMORY_MB:1")

    def test_required_traits_are_met_by_all_the_providers_together(self):
        query = "resources=VCPU:1,MEMORY_MB:1&required="
        self.assert_candidates(CELLS, query + "TA,TB", C1_AND_H)
        self.assert_candidates(CELLS, query + "in:TA,TB", C1_AND_H, C2_AND_H)

    def test_a_provider_that_gives_nothing_brings_no_traits(self):
        self.assert_candidates(CELLS, "resources=VCPU:1&required=TA")
        self.assert_candidates(CELLS, "resources=VCPU:1&required=in:TA,TB", "c1(VCPU 1)")

    def test_a_forbidden_trait_is_on_none_of_the_providers(self):
        self.assert_candidates(CELLS, "resources=VCPU:1,MEMORY_MB:1&required=!TB", C2_AND_H)

    def test_a_provider_that_gives_nothing_may_have_forbidden_traits(self):
        self.assert_candidates(
            CELLS, "resources=VCPU:1&required=!TA", "c1(VCPU 1)", "c2(VCPU 1)"
        )

    def test_an_aggregate_of_the_root_counts_for_the_whole_tree(self):
        query = "resources=VCPU:1,MEMORY_MB:1&member_of=x"
        self.assert_candidates(CELLS, query, C1_AND_H, C2_AND_H)

    def test_an_aggregate_of_a_child_counts_for_the_child_alone(self):
        self.assert_candidates(CELLS, "resources=VCPU:1&member_of=y", "c1(VCPU 1)")
        self.assert_candidates(CELLS, "resources=VCPU:1,MEMORY_MB:1&member_of=y")

    def test_one_provider_must_be_in_all_required_aggregates(self):
        self.assert_candidates(CELLS, "resources=VCPU:1&member_of=x&member_of=y")
        self.assert_candidates(
            CELLS, "resources=VCPU:1&member_of=in:x,y", "c1(VCPU 1)", "c2(VCPU 1)"
        )

    def test_a_forbidden_aggregate_of_the_root_excludes_the_whole_tree(self):
        self.assert_candidates(CELLS, "resources=VCPU:1&member_of=!x")

    def test_a_forbidden_aggregate_of_a_child_excludes_the_child(self):
        self.assert_candidates(CELLS, "resources=VCPU:1&member_of=!y", "c2(VCPU 1)")
        self.assert_candidates(
            CELLS, "resources=VCPU:1&member_of=in:x,y&member_of=!y", "c2(VCPU 1)"
        )

    def test_an_unknown_aggregate_matches_nothing_and_forbids_nothing(self):
        self.assert_candidates(CELLS, "resources=MEMORY_MB:1&member_of=unknown")
        self.assert_candidates(
            CELLS, "resources=MEMORY_MB:1&member_of=!unknown", "h(MEMORY_MB 1)"
        )


class Inventories(TestCase):
    """Rule F2."""

    WORLD = "p {VCPU 20 used 5 min_unit 2 max_unit 12 step_size 2}"

    def test_an_amount_has_to_obey_the_unit_rules(self):
        for amount, lines in (
            (1, []),
            (2, ["p(VCPU 2)"]),
            (3, []),
            (12, ["p(VCPU 12)"]),
            (14, []),
        ):
            with self.subTest(amount=amount):
                self.assert_candidates(self.WORLD, f"resources=VCPU:{amount}", *lines)

    def test_used_amounts_are_not_offered(self):
        self.assert_candidates("p {VCPU 10 used 7}", "resources=VCPU:3", "p(VCPU 3)")
        self.assert_candidates("p {VCPU 10 used 7}", "resources=VCPU:4")

    def test_a_provider_over_capacity_serves_its_other_classes(self):
        world = "p {VCPU 2 used 5, MEMORY_MB 8}"
        self.assert_candidates(world, "resources=MEMORY_MB:1", "p(MEMORY_MB 1)")
        self.assert_candidates(world, "resources=VCPU:1")

    def test_an_amount_beyond_all_integers_of_the_database_fits_nowhere(self):
        self.assert_candidates("p {VCPU 10}", f"resources=VCPU:{10**40}")


class SharingProviders(TestCase):
    """Rules S1, S2, R3 for sharing providers, and R6."""

    DISK = """
a {VCPU 4} [x, y]
s {DISK_GB 9} <SHARE> [x]
"""

    def test_a_shared_disk_serves_two_hosts(self):
        world = """
a {VCPU 4} [x]
b {VCPU 4} [x]
s {DISK_GB 9} <SHARE> [x]
"""
        self.assert_candidates(
            world,
            "resources=VCPU:1,DISK_GB:1",
            "a(VCPU 1) + s(DISK_GB 1)",
            "b(VCPU 1) + s(DISK_GB 1)",
        )

    def test_a_sharing_provider_alone_is_one_candidate_however_many_trees_reach_it(self):
        world = """
a {VCPU 4} [x]
b {VCPU 4} [x]
s {DISK_GB 9} <SHARE> [x]
"""
        self.assert_candidates(world, "resources=DISK_GB:1", "s(DISK_GB 1)")
        self.assert_candidates(world, "resources=DISK_GB:1", "s(DISK_GB 1)", breadth_first=True)

    def test_a_sharing_provider_must_be_in_the_required_aggregate_itself(self):
        query = "resources=VCPU:1,DISK_GB:1&member_of="
        self.assert_candidates(self.DISK, query + "x", "a(VCPU 1) + s(DISK_GB 1)")
        self.assert_candidates(self.DISK, query + "y")

    def test_a_forbidden_aggregate_of_the_anchor_leaves_the_other_anchors(self):
        self.assert_candidates(self.DISK, "resources=VCPU:1,DISK_GB:1&member_of=!y")
        self.assert_candidates(self.DISK, "resources=DISK_GB:1&member_of=!y", "s(DISK_GB 1)")

    def test_aggregates_of_one_group_do_not_restrict_another(self):
        self.assert_candidates(
            self.DISK,
            "resources=VCPU:1&resources1=DISK_GB:1&member_of=y",
            "a(VCPU 1) + s(DISK_GB 1); 1=s",
        )

    MANY = """
a {VCPU 4}
  a1 {MEMORY_MB 4} [x]
b {VCPU 4}
s {DISK_GB 9} <SHARE, TS> [x]
  s1 {SRIOV_NET_VF 4}
z {DISK_GB 9} <SHARE>
"""

    def test_a_tree_is_reached_through_any_of_its_providers(self):
        found = "a(VCPU 1) + s(DISK_GB 1)"
        self.assert_candidates(self.MANY, "resources=VCPU:1,DISK_GB:1", found)
        self.assert_candidates(self.MANY, "resources=VCPU:1&resources1=DISK_GB:1", found + "; 1=s")

    def test_without_aggregates_a_sharing_provider_serves_its_own_tree(self):
        self.assert_candidates(self.MANY, "resources=DISK_GB:1", "s(DISK_GB 1)", "z(DISK_GB 1)")

    def test_a_child_of_a_sharing_provider_is_not_shared(self):
        self.assert_candidates(self.MANY, "resources=VCPU:1,SRIOV_NET_VF:1")
        self.assert_candidates(
            self.MANY,
            "resources=DISK_GB:1,SRIOV_NET_VF:1",
            "s(DISK_GB 1) + s1(SRIOV_NET_VF 1)",
        )

    def test_traits_of_a_sharing_provider_count_like_any_other(self):
        query = "resources=VCPU:1,DISK_GB:1&required="
        self.assert_candidates(self.MANY, query + "TS", "a(VCPU 1) + s(DISK_GB 1)")
        self.assert_candidates(self.MANY, query + "!TS")

    def test_an_empty_tree_connects_two_sharing_providers(self):
        world = """
a [x, y]
s {DISK_GB 9} <SHARE> [x]
t {IPV4_ADDRESS 9} <SHARE> [y]
"""
        found = "s(DISK_GB 1) + t(IPV4_ADDRESS 1)"
        self.assert_candidates(world, "resources=DISK_GB:1,IPV4_ADDRESS:1", found)
        self.assert_candidates(
            world,
            "resources1=DISK_GB:1&resources2=IPV4_ADDRESS:1&group_policy=isolate",
            found + "; 1=s 2=t",
        )
        self.assert_candidates(world, "resources=DISK_GB:1,VCPU:1")

    def test_a_child_may_be_shared_with_another_tree(self):
        world = """
a {VCPU 8} [x]
w {MEMORY_MB 8}
  s {DISK_GB 100} <SHARE> [x]
"""
        self.assert_candidates(world, "resources=DISK_GB:1,VCPU:1", "a(VCPU 1) + s(DISK_GB 1)")

    def test_every_anchor_keeps_a_shared_option_of_the_unsuffixed_group(self):
        world = """
a {VCPU 8} [x]
b {VCPU 8} [x]
s {DISK_GB 100} <SHARE> [x]
"""
        self.assert_candidates(
            world,
            "resources=DISK_GB:1&resources1=VCPU:2",
            "a(VCPU 2) + s(DISK_GB 1); 1=a",
            "b(VCPU 2) + s(DISK_GB 1); 1=b",
        )


class InTree(TestCase):
    """Rule R5."""

    WORLD = """
a {VCPU 4, DISK_GB 9} [x]
  a1 {SRIOV_NET_VF 4}
b {VCPU 4} [x]
s {DISK_GB 9} <SHARE> [x]
"""

    def test_without_in_tree_every_tree_is_searched(self):
        self.assert_candidates(
            self.WORLD,
            "resources=VCPU:1,DISK_GB:1",
            "a(DISK_GB 1, VCPU 1)",
            "a(VCPU 1) + s(DISK_GB 1)",
            "b(VCPU 1) + s(DISK_GB 1)",
        )

    def test_the_unsuffixed_group_stays_in_the_tree_and_uses_no_sharing_provider(self):
        query = "resources=VCPU:1,DISK_GB:1&in_tree="
        self.assert_candidates(self.WORLD, query + "a1", "a(DISK_GB 1, VCPU 1)")
        self.assert_candidates(self.WORLD, query + "b")
        self.assert_candidates(self.WORLD, "resources=DISK_GB:1&in_tree=s", "s(DISK_GB 1)")

    def test_in_tree_of_one_group_does_not_constrain_another(self):
        self.assert_candidates(
            self.WORLD,
            "resources=VCPU:1&in_tree=a1&resources1=DISK_GB:1",
            "a(DISK_GB 1, VCPU 1); 1=a",
            "a(VCPU 1) + s(DISK_GB 1); 1=s",
        )

    def test_a_granular_group_uses_a_single_sharing_provider(self):
        self.assert_candidates(
            self.WORLD,
            "resources=VCPU:1&resources1=DISK_GB:1&in_tree1=s",
            "a(VCPU 1) + s(DISK_GB 1); 1=s",
            "b(VCPU 1) + s(DISK_GB 1); 1=s",
        )


class RootRequired(TestCase):
    """Rule R7."""

    WORLD = """
a {VCPU 4} <TA> [x]
b {VCPU 4} [x]
  b1 {VCPU 4} <TA>
s {DISK_GB 9} <SHARE> [x]
"""

    def test_root_required_checks_the_root_and_not_its_children(self):
        query = "resources=VCPU:1&root_required="
        self.assert_candidates(self.WORLD, query + "TA", "a(VCPU 1)")
        self.assert_candidates(self.WORLD, query + "!TA", "b(VCPU 1)", "b1(VCPU 1)")

    def test_root_required_does_not_check_sharing_providers_of_other_trees(self):
        query = "resources=VCPU:1,DISK_GB:1&root_required="
        self.assert_candidates(self.WORLD, query + "TA", "a(VCPU 1) + s(DISK_GB 1)")
        self.assert_candidates(self.WORLD, query + "SHARE")

    def test_sharing_providers_alone_need_any_anchor_that_qualifies(self):
        self.assert_candidates(
            self.WORLD, "resources=DISK_GB:1&root_required=TA", "s(DISK_GB 1)"
        )


class GranularGroups(TestCase):
    """Rules R4, R8 and R11."""

    def test_one_provider_serves_the_whole_granular_group(self):
        self.assert_candidates(CELLS, "resources1=VCPU:1,MEMORY_MB:1")

    def test_two_groups_may_be_served_by_two_providers(self):
        self.assert_candidates(
            CELLS,
            "resources1=VCPU:1&resources2=MEMORY_MB:1&group_policy=none",
            C1_AND_H + "; 1=c1 2=h",
            C2_AND_H + "; 1=c2 2=h",
        )

    def test_aggregates_of_the_root_do_not_count_for_its_children(self):
        query = "resources1=VCPU:1&member_of1="
        self.assert_candidates(CELLS, query + "x")
        self.assert_candidates(CELLS, query + "y", "c1(VCPU 1); 1=c1")
        self.assert_candidates(CELLS, query + "!x", "c1(VCPU 1); 1=c1", "c2(VCPU 1); 1=c2")

    def test_the_provider_of_a_granular_group_has_its_traits_itself(self):
        query = "resources1=VCPU:1&required1="
        self.assert_candidates(CELLS, query + "TA")
        self.assert_candidates(CELLS, query + "TB", "c1(VCPU 1); 1=c1")
        self.assert_candidates(CELLS, query + "!TB", "c2(VCPU 1); 1=c2")
        self.assert_candidates(
            CELLS,
            "resources=MEMORY_MB:1&resources1=VCPU:1&required1=in:TA,TB",
            C1_AND_H + "; 1=c1",
        )

    def test_isolated_groups_have_different_providers(self):
        self.assert_candidates(
            CELLS,
            "resources1=VCPU:1&resources2=VCPU:1&group_policy=isolate",
            "c1(VCPU 1) + c2(VCPU 1); 1=c1 2=c2",
            "c1(VCPU 1) + c2(VCPU 1); 1=c2 2=c1",
        )
        three = "&".join(f"resources{n}=VCPU:1" for n in (1, 2, 3))
        self.assert_candidates(CELLS, three + "&group_policy=isolate")

    def test_groups_that_are_not_isolated_may_share_a_provider(self):
        self.assert_candidates(
            CELLS,
            "resources1=VCPU:1&resources2=VCPU:1&group_policy=none",
            "c1(VCPU 1) + c2(VCPU 1); 1=c1 2=c2",
            "c1(VCPU 1) + c2(VCPU 1); 1=c2 2=c1",
            "c1(VCPU 2); 1=c1 2=c1",
            "c2(VCPU 2); 1=c2 2=c2",
        )

    def test_groups_share_a_provider_only_if_both_fit(self):
        self.assert_candidates(
            CELLS,
            "resources1=VCPU:1&resources2=VCPU:2&group_policy=none",
            "c1(VCPU 1) + c2(VCPU 2); 1=c1 2=c2",
            "c1(VCPU 2) + c2(VCPU 1); 1=c2 2=c1",
        )

    def test_the_unsuffixed_group_is_not_isolated(self):
        world = "n {VCPU 4, SRIOV_NET_VF 4, MEMORY_MB 4}"
        self.assert_candidates(
            world,
            "resources=VCPU:1&resources1=SRIOV_NET_VF:1&group_policy=isolate",
            "n(SRIOV_NET_VF 1, VCPU 1); 1=n",
        )
        self.assert_candidates(
            world, "resources1=VCPU:1&resources2=SRIOV_NET_VF:1&group_policy=isolate"
        )

    def test_amounts_of_the_unsuffixed_and_a_granular_group_are_added(self):
        self.assert_candidates(
            "p {VCPU 4}", "resources=VCPU:1&resources1=VCPU:2", "p(VCPU 3); 1=p"
        )

    def test_added_amounts_obey_capacity_and_max_unit(self):
        world = "p {VCPU 6 used 2 max_unit 4}"
        query = "resources1=VCPU:{}&resources2=VCPU:{}&group_policy=none"
        self.assert_candidates(world, query.format(2, 2), "p(VCPU 4); 1=p 2=p")
        self.assert_candidates(world, query.format(3, 2))
        self.assert_candidates("p {VCPU 6 used 3}", query.format(2, 2))
        self.assert_candidates("p {VCPU 9 max_unit 4}", query.format(3, 2))

    def test_the_sum_of_added_amounts_need_not_obey_min_unit_and_step_size(self):
        three = "&".join(f"resources{n}=VCPU:1" for n in (1, 2, 3))
        self.assert_candidates(
            "p {VCPU 6}", three + "&group_policy=none", "p(VCPU 3); 1=p 2=p 3=p"
        )

    def test_an_amount_below_min_unit_is_refused_even_if_the_sum_is_not(self):
        self.assert_candidates(
            "p {VCPU 6 min_unit 2}", "resources1=VCPU:1&resources2=VCPU:1&group_policy=none"
        )


# A host with two cells, each with a network device below it.
NUMA = """
r {MEMORY_MB 8} <TR>
  n1 {VCPU 4} <TN>
    f1 {SRIOV_NET_VF 4}
  n2 {VCPU 4} <TN, TX>
    f2 {SRIOV_NET_VF 4}
"""


class ResourcelessGroups(TestCase):
    """Rule R9."""

    def test_a_resourceless_group_is_mapped_and_takes_nothing(self):
        query = "resources_F=SRIOV_NET_VF:1&same_subtree=_F,_N&group_policy=none&required_N="
        self.assert_candidates(
            NUMA,
            query + "TN",
            "f1(SRIOV_NET_VF 1); _F=f1 _N=n1",
            "f2(SRIOV_NET_VF 1); _F=f2 _N=n2",
        )
        self.assert_candidates(NUMA, query + "TN,!TX", "f1(SRIOV_NET_VF 1); _F=f1 _N=n1")

    def test_a_group_that_only_forbids_traits_has_no_candidates(self):
        query = "resources_F=SRIOV_NET_VF:1&same_subtree=_F,_N&group_policy=none&"
        self.assert_candidates(NUMA, query + "required_N=!TX")
        self.assert_candidates(NUMA, query + "in_tree_N=r")
        self.assert_candidates(NUMA, query + "member_of_N=!x")

    def test_in_tree_has_no_effect_without_resources(self):
        world = NUMA + "other\n"
        self.assert_candidates(
            world,
            "resources_F=SRIOV_NET_VF:1&required_N=TX&in_tree_N=other&same_subtree=_F,_N"
            "&group_policy=none",
            "f2(SRIOV_NET_VF 1); _F=f2 _N=n2",
        )

    def test_two_devices_are_below_the_cell_of_a_resourceless_group(self):
        self.assert_candidates(
            NUMA,
            "resources_A=SRIOV_NET_VF:1&resources_B=SRIOV_NET_VF:1&required_N=TN"
            "&same_subtree=_A,_B,_N&group_policy=none",
            "f1(SRIOV_NET_VF 2); _A=f1 _B=f1 _N=n1",
            "f2(SRIOV_NET_VF 2); _A=f2 _B=f2 _N=n2",
        )

    def test_a_resourceless_group_alone_in_its_subtree_goes_anywhere_in_the_tree(self):
        self.assert_candidates(
            NUMA,
            "resources_F=SRIOV_NET_VF:1&required_N=TN&same_subtree=_N&group_policy=none",
            "f1(SRIOV_NET_VF 1); _F=f1 _N=n1",
            "f1(SRIOV_NET_VF 1); _F=f1 _N=n2",
            "f2(SRIOV_NET_VF 1); _F=f2 _N=n1",
            "f2(SRIOV_NET_VF 1); _F=f2 _N=n2",
        )

    def test_a_resourceless_group_may_share_a_provider_unless_isolated(self):
        query = "resources_V=VCPU:1&required_N=TN&same_subtree=_V,_N&group_policy="
        self.assert_candidates(
            NUMA, query + "none", "n1(VCPU 1); _V=n1 _N=n1", "n2(VCPU 1); _V=n2 _N=n2"
        )
        self.assert_candidates(NUMA, query + "isolate")


class SameSubtree(TestCase):
    """Rule R10."""

    TWO = "resources_V=VCPU:1&resources_F=SRIOV_NET_VF:1&group_policy=none"
    THREE = TWO + "&resources_M=MEMORY_MB:1"

    def test_without_same_subtree_a_device_may_be_below_another_cell(self):
        self.assert_candidates(
            NUMA,
            self.TWO,
            "f1(SRIOV_NET_VF 1) + n1(VCPU 1); _V=n1 _F=f1",
            "f1(SRIOV_NET_VF 1) + n2(VCPU 1); _V=n2 _F=f1",
            "f2(SRIOV_NET_VF 1) + n1(VCPU 1); _V=n1 _F=f2",
            "f2(SRIOV_NET_VF 1) + n2(VCPU 1); _V=n2 _F=f2",
        )

    def test_same_subtree_puts_a_device_below_its_own_cell(self):
        self.assert_candidates(
            NUMA,
            self.TWO + "&same_subtree=_V,_F",
            "f1(SRIOV_NET_VF 1) + n1(VCPU 1); _V=n1 _F=f1",
            "f2(SRIOV_NET_VF 1) + n2(VCPU 1); _V=n2 _F=f2",
        )

    def test_a_group_on_the_root_is_above_all_the_others(self):
        self.assert_candidates(
            NUMA,
            self.THREE + "&same_subtree=_V,_F,_M",
            "f1(SRIOV_NET_VF 1) + n1(VCPU 1) + r(MEMORY_MB 1); _V=n1 _F=f1 _M=r",
            "f1(SRIOV_NET_VF 1) + n2(VCPU 1) + r(MEMORY_MB 1); _V=n2 _F=f1 _M=r",
            "f2(SRIOV_NET_VF 1) + n1(VCPU 1) + r(MEMORY_MB 1); _V=n1 _F=f2 _M=r",
            "f2(SRIOV_NET_VF 1) + n2(VCPU 1) + r(MEMORY_MB 1); _V=n2 _F=f2 _M=r",
        )

    def test_all_of_several_same_subtree_sets_apply(self):
        self.assert_candidates(
            NUMA,
            self.THREE + "&same_subtree=_V,_F&same_subtree=_V,_M",
            "f1(SRIOV_NET_VF 1) + n1(VCPU 1) + r(MEMORY_MB 1); _V=n1 _F=f1 _M=r",
            "f2(SRIOV_NET_VF 1) + n2(VCPU 1) + r(MEMORY_MB 1); _V=n2 _F=f2 _M=r",
        )

    def test_an_ancestor_outside_the_same_subtree_does_not_count(self):
        query = "resources_A=SRIOV_NET_VF:1&resources_B=SRIOV_NET_VF:1&same_subtree=_A,_B"
        self.assert_candidates(
            NUMA,
            query + "&group_policy=none",
            "f1(SRIOV_NET_VF 2); _A=f1 _B=f1",
            "f2(SRIOV_NET_VF 2); _A=f2 _B=f2",
        )
        self.assert_candidates(NUMA, query + "&group_policy=isolate")

    def test_a_sharing_provider_is_below_no_provider_of_another_tree(self):
        world = """
h {VCPU 4} [x]
s {DISK_GB 9} <SHARE> [x]
  s1 {IPV4_ADDRESS 9} <SHARE> [x]
"""
        query = "resources_A={}:1&resources_B={}:1&group_policy=none&same_subtree=_A,_B"
        self.assert_candidates(world, query.format("VCPU", "DISK_GB"))
        self.assert_candidates(
            world,
            query.format("DISK_GB", "IPV4_ADDRESS"),
            "s(DISK_GB 1) + s1(IPV4_ADDRESS 1); _A=s _B=s1",
        )


class OneProviderPerTree(TestCase):
    """What clients that do not know about nested providers get."""

    WORLD = """
r {VCPU 4}
  k1 {SRIOV_NET_VF 4}
  k2 {SRIOV_NET_VF 4}
w {VCPU 4, SRIOV_NET_VF 4}
"""

    def test_for_old_clients_a_candidate_of_two_providers_of_a_tree_is_dropped(self):
        self.assert_candidates(
            self.WORLD,
            "resources=VCPU:1,SRIOV_NET_VF:1",
            "w(SRIOV_NET_VF 1, VCPU 1)",
            one_provider_per_tree=True,
        )

    def test_for_old_clients_a_candidate_of_a_single_child_is_kept(self):
        self.assert_candidates(
            self.WORLD,
            "resources=SRIOV_NET_VF:1",
            "k1(SRIOV_NET_VF 1)",
            "k2(SRIOV_NET_VF 1)",
            "w(SRIOV_NET_VF 1)",
            one_provider_per_tree=True,
        )

    def test_for_old_clients_two_groups_share_one_provider_of_a_tree(self):
        self.assert_candidates(
            self.WORLD,
            "resources1=SRIOV_NET_VF:1&resources2=SRIOV_NET_VF:1&group_policy=none",
            "k1(SRIOV_NET_VF 2); 1=k1 2=k1",
            "k2(SRIOV_NET_VF 2); 1=k2 2=k2",
            "w(SRIOV_NET_VF 2); 1=w 2=w",
            one_provider_per_tree=True,
        )

    def test_for_old_clients_a_candidate_may_use_sharing_providers(self):
        world = """
a {VCPU 4} [x]
  a1 {DISK_GB 4}
s {DISK_GB 9} <SHARE> [x]
"""
        self.assert_candidates(
            world,
            "resources=VCPU:1,DISK_GB:1",
            "a(VCPU 1) + s(DISK_GB 1)",
            one_provider_per_tree=True,
        )


class ManyEqualDevices(unittest.TestCase):
    """These searches end only because the search is lazy and enters no failed state twice."""

    def candidates(self, devices, groups, policy, room="VGPU 1"):
        world = World("h\n" + "".join(f"  d{n} {{{room}}}\n" for n in range(devices)))
        query = "&".join(f"resources{n}=VGPU:1" for n in range(1, groups + 1))
        return anchors.search([world.forest()], world.query(f"{query}&group_policy={policy}"))

    def test_the_first_thousand_of_twenty_billion_candidates_are_different(self):
        found = [
            tuple(candidate.providers_by_suffix.items())
            for candidate in itertools.islice(self.candidates(16, 16, "none"), 1000)
        ]
        self.assertEqual(1000, len(set(found)))

    def test_one_device_too_few_has_no_candidates_and_ends_soon(self):
        self.assertEqual([], list(self.candidates(24, 25, "none")))
        self.assertEqual([], list(self.candidates(24, 25, "isolate", "VGPU 100")))

    def test_one_device_too_few_below_each_cell_has_no_candidates_and_ends_soon(self):
        cells = "".join(
            f"  n{cell} <TN>\n" + "".join(f"    d{cell}_{n} {{VGPU 1}}\n" for n in range(9))
            for cell in range(4)
        )
        world = World("h\n" + cells)
        groups = "&".join(f"resources_{n}=VGPU:1" for n in range(10))
        suffixes = ",".join(f"_{n}" for n in range(10))
        self.assertEqual(
            [],
            world.candidates(
                f"{groups}&required_N=TN&same_subtree=_N,{suffixes}&group_policy=none"
            ),
        )

    def test_a_group_for_every_unit_of_one_device_has_a_candidate(self):
        found = list(self.candidates(1, 1500, "none", "VGPU 1500"))
        self.assertEqual([1500], [sum(candidate.amounts.values()) for candidate in found])

    def test_more_groups_than_stack_frames_cause_no_error(self):
        found = next(self.candidates(2, 1500, "none", "VGPU 1500"))
        self.assertEqual(1500, sum(found.amounts.values()))


class EffortOfASearch(unittest.TestCase):
    """If a test fails, a search goes on although it could know that it will find nothing."""

    def effort(self, world, query):
        """Return how many candidates there are, and how many states were tried for them."""
        world, effort = World(world), Effort()
        found = list(anchors.search([world.forest()], world.query(query), effort=effort))
        return len(found), effort.states

    def test_a_host_that_is_a_single_provider_is_checked_without_a_search(self):
        checks = []
        for text in ("h {VCPU 1}\n", "h {VCPU 1}\n  child\n"):
            world, effort = World(text), Effort()
            forest, query = world.forest(), world.query("resources=VCPU:1")
            self.assertEqual(1, len(list(anchors.search([forest], query, effort=effort))))
            checks.append(effort.checks)
        alone, with_a_child = checks
        self.assertLess(alone + anchors.CHECKS_OF_AN_ANCHOR, with_a_child)

    def test_the_scarcest_demand_is_placed_first(self):
        devices = "".join(f"  d{n} {{VGPU {n % 3 + 2}}}\n" for n in range(8))
        world = "h\n" + devices + "  g0 {VGPU 1} <TA>\n  g1 {VGPU 1} <TA>\n"
        plain = "&".join(f"resources{n}=VGPU:1" for n in range(1, 5))
        scarce = "&".join(f"resources{n}=VGPU:1&required{n}=TA" for n in range(5, 8))
        self.assertEqual((0, 3), self.effort(world, f"{plain}&{scarce}&group_policy=none"))

    def test_a_failed_state_is_entered_only_once(self):
        world = "h\n" + "".join(f"  d{n} {{VGPU 1}}\n" for n in range(24))
        groups = "&".join(f"resources{n}=VGPU:1" for n in range(1, 26))
        found, states = self.effort(world, groups + "&group_policy=none")
        self.assertEqual(0, found)
        # At each of the 24 levels, each device that is still free is tried at most once.
        self.assertLessEqual(states, 24 * 25 // 2)

    def test_room_that_no_group_can_use_does_not_make_devices_differ(self):
        world = "h\n" + "".join(f"  d{n} {{VGPU {n}}}\n" for n in range(1, 9))
        groups = "&".join(f"resources{n}=VGPU:1" for n in range(1, 10))
        found, states = self.effort(world, groups + "&group_policy=isolate")
        self.assertEqual(0, found)
        self.assertLessEqual(states, 8 * 9 // 2)

    def test_traits_of_granular_providers_do_not_count_for_the_unsuffixed_group(self):
        world = """
h
  a {VCPU 1}
  b {VCPU 1}
  c {VGPU 1} <TA>
  d {VGPU 1} <TA>
"""
        query = "resources=VCPU:1&required=TA&resources1=VGPU:1"
        self.assertEqual((0, 0), self.effort(world, query))

    def test_hosts_that_are_alike_are_searched_once(self):
        world = "".join(
            f"""
h{n}
  a{n} {{VGPU 1}}
  b{n} {{VGPU {n + 2}}}
"""
            for n in range(9)
        )
        query = "resources1=VGPU:1&resources2=VGPU:1&group_policy=none"
        # Each group has a device of its own (in either order), or both have the larger one.
        self.assertEqual((9 * 3, 2 + 3), self.effort(world, query))

    def test_hosts_that_are_not_alike_are_searched_one_by_one(self):
        world = "h\n  a {VGPU 1}\n  b {VGPU 2}\ni\n  c {VGPU 2}\n  d {VGPU 1}\n"
        query = "resources1=VGPU:1&resources2=VGPU:1&group_policy=none"
        self.assertEqual((2 * 3, 2 * (2 + 3)), self.effort(world, query))

    def test_a_search_without_failed_states_tries_no_needless_state(self):
        world = "h\n" + "".join(f"  d{n} {{VGPU 1}}\n" for n in range(8))
        query = "resources1=VGPU:1&resources2=VGPU:1&group_policy=isolate"
        found, states = self.effort(world, query)
        self.assertEqual((56, 8 + 8 * 7), (found, states))


class EffortOfHardQueries(unittest.TestCase):
    """If a test fails, a few hundred characters keep a server busy for minutes, or longer."""

    @classmethod
    def setUpClass(cls):
        """200 hosts of 8 devices, each a little larger than the one before, and 40 shared disks."""
        device = "  g{host}_{n} {{PGPU 1, VGPU {room}}}\n"
        lines = []
        for host in range(200):
            lines.append(f"h{host} [x{host % 20}]\n")
            lines += [device.format(host=host, n=n, room=16 + n) for n in range(8)]
        lines += [f"s{n} {{DISK_GB 99}} <SHARE> [x{n % 20}]\n" for n in range(40)]
        cls.world = World("".join(lines))
        cls.forest = cls.world.forest()

    def effort(self, query, limit=None):
        """Return how many candidates there are, and how many states were tried for them."""
        effort = Effort()
        found = anchors.search([self.forest], self.world.query(query), effort=effort)
        return sum(1 for _ in itertools.islice(found, limit)), effort.states

    def pairs(self, count, policy, amount="PGPU:1"):
        """Return a query for pairs of groups, one above or on the same provider as the other."""
        groups = [f"resources_{side}{n}={amount}" for n in range(count) for side in "ab"]
        subtrees = [f"same_subtree=_a{n},_b{n}" for n in range(count)]
        return "&".join([*groups, *subtrees, f"group_policy={policy}"])

    def slices(self, *amounts):
        groups = [f"resources{n}=VGPU:{amount}" for n, amount in enumerate(amounts, start=1)]
        return "&".join([*groups, "group_policy=none"])

    def test_pairs_on_devices_that_cannot_be_shared_cost_few_states(self):
        for count in (1, 4, 8):
            with self.subTest(count=count):
                self.assertEqual((0, 0), self.effort(self.pairs(count, "isolate")))
                found, states = self.effort(self.pairs(count, "none"))
                self.assertEqual(0, found)
                # One host fails, device by device; all others are like it, so they are not
                # searched.
                self.assertLessEqual(states, 8)

    def test_one_pair_too_many_costs_few_states(self):
        self.assertEqual((1, 16), self.effort(self.pairs(8, "none", "VGPU:8"), limit=1))
        found, states = self.effort(self.pairs(9, "none", "VGPU:8"))
        self.assertEqual(0, found)
        self.assertLessEqual(states, 1000)

    def test_slices_that_fit_in_total_but_not_together_cost_few_states(self):
        found, states = self.effort(self.slices(*range(11, 17), *range(11, 15)))
        self.assertEqual(0, found)
        self.assertLessEqual(states, 100)

    def test_slices_that_just_fit_cost_few_states(self):
        found, states = self.effort(self.slices(*range(11, 17), 11, 12, 13, 11), limit=1)
        self.assertEqual(1, found)
        self.assertLessEqual(states, 1000)

    def test_asking_for_more_than_a_host_has_costs_no_state(self):
        self.assertEqual((0, 0), self.effort(self.slices(*(11 + n % 6 for n in range(18)))))
        self.assertEqual((0, 0), self.effort(self.slices(*[1] * 200)))

    def test_one_group_too_many_for_isolate_costs_few_states(self):
        groups = "&".join(f"resources{n}=VGPU:1" for n in range(1, 10))
        found, states = self.effort(f"{groups}&group_policy=isolate")
        self.assertEqual(0, found)
        self.assertLessEqual(states, 100)

    def test_the_first_thousand_of_millions_of_candidates_cost_few_states(self):
        groups = "&".join(f"resources{n}=PGPU:1" for n in range(1, 9))
        found, states = self.effort(f"{groups}&group_policy=isolate", limit=1000)
        self.assertEqual(1000, found)
        self.assertLessEqual(states, 3000)

    def test_shared_disks_are_not_tried_again_for_each_host(self):
        query = "resources1=DISK_GB:1&resources2=DISK_GB:1&group_policy=none"
        found, states = self.effort(query)
        # 20 aggregates with two disks each, and each disk as its own host.
        self.assertEqual(20 * 2 * 2, found)
        self.assertLessEqual(states, 20 * (2 + 4))


class EffortIsBounded(unittest.TestCase):
    def test_a_search_ends_at_the_bound_of_its_effort(self):
        world = World("h\n" + "".join(f"  d{n} {{VGPU 1}}\n" for n in range(8)))
        query = world.query("resources1=VGPU:1&resources2=VGPU:1&group_policy=isolate")
        found, effort = [], Effort(most=30)
        with self.assertRaises(SpentError):
            for candidate in anchors.search([world.forest()], query, effort=effort):
                found.append(candidate)
        again = Effort(most=30)
        whole = itertools.islice(anchors.search([world.forest()], query, effort=again), len(found))
        self.assertEqual(
            [candidate.providers_by_suffix for candidate in found],
            [candidate.providers_by_suffix for candidate in whole],
        )
        self.assertTrue(found)
        # The last one that is built may be one too many.
        self.assertIn(effort.candidates - len(found), (0, 1))
        cost = effort.states + effort.candidates + effort.checks * COST_OF_A_CHECK
        # Only one step is done beyond the bound.
        self.assertTrue(30 < cost < 30 + 8, cost)

    def test_ancestors_of_the_options_count_as_effort(self):
        levels = 100
        world = World("".join(f"{'  ' * level}p{level} {{FPGA 1}}\n" for level in range(levels)))
        pairs = [(f"_A{n}", f"_B{n}") for n in range(10)]
        groups = [f"resources{suffix}=FPGA:1" for pair in pairs for suffix in pair]
        subtrees = [f"same_subtree={above},{below}" for above, below in pairs]
        query = world.query("&".join([*groups, *subtrees, "group_policy=isolate"]))
        effort = Effort(most=1000)
        with self.assertRaises(SpentError):
            next(anchors.search([world.forest()], query, effort=effort))
        self.assertLess(effort.states, 1000)
        self.assertLessEqual(effort.ancestors, 1000 * 32 + levels)

    def test_groups_that_leave_no_choice_count_in_each_search_for_one_candidate(self):
        """If it fails, an explanation of 30 groups takes seconds on 10,000 hosts."""
        world = World("h {VCPU 30}")
        groups = "&".join(f"resources{n}=VCPU:1" for n in range(30))
        forest = world.forest()
        effort = Effort()
        query = world.query(f"{groups}&group_policy=none")
        prepared = anchors.prepare(query, one_provider_per_tree=False, effort=effort)
        before = effort.checks
        for _ in range(10):
            anchors.first_at(forest, forest.root_ids[0], prepared)
        self.assertEqual(0, effort.states)
        self.assertGreater((effort.checks - before) * COST_OF_A_CHECK, 10 * 30)


class DeadStates(TestCase):
    """A failed state must not keep the search out of a state that only resembles it."""

    def test_a_failed_state_does_not_rule_out_one_with_more_room(self):
        world = """
h
  a {VGPU 2} <TX, TY>
  b {VGPU 1} <TX>
  c {VGPU 1} <TY>
"""
        query = "resources1=VGPU:1&required1=TX" + "".join(
            f"&resources{n}=VGPU:1&required{n}=TY" for n in (2, 3, 4)
        )
        self.assert_candidates(
            world,
            query + "&group_policy=none",
            "a(VGPU 2) + b(VGPU 1) + c(VGPU 1); 1=b 2=a 3=a 4=c",
            "a(VGPU 2) + b(VGPU 1) + c(VGPU 1); 1=b 2=a 3=c 4=a",
            "a(VGPU 2) + b(VGPU 1) + c(VGPU 1); 1=b 2=c 3=a 4=a",
        )

    def test_a_failed_state_does_not_rule_out_one_with_other_options(self):
        world = """
h
  a {VGPU 1} <TX, TY>
  b {VGPU 1} <TX, TZ>
  c {VGPU 1} <TY>
  d {VGPU 1} <TZ>
"""
        query = "&".join(
            f"resources{n}=VGPU:1&required{n}={trait}"
            for n, trait in enumerate(["TX", "TY", "TY", "TZ"], start=1)
        )
        everybody = "a(VGPU 1) + b(VGPU 1) + c(VGPU 1) + d(VGPU 1)"
        self.assert_candidates(
            world,
            query + "&group_policy=none",
            everybody + "; 1=b 2=a 3=c 4=d",
            everybody + "; 1=b 2=c 3=a 4=d",
        )

    def test_a_failed_state_does_not_rule_out_one_that_lacks_other_traits(self):
        world = """
h
  p {VCPU 1}
  q {VCPU 1} <TA>
  u {DISK_GB 1} <TA>
  v {DISK_GB 1} <TB>
"""
        self.assert_candidates(
            world,
            "resources=VCPU:1,DISK_GB:1&required=TA,TB",
            "q(VCPU 1) + v(DISK_GB 1)",
        )

    def test_a_failed_state_does_not_rule_out_one_with_room_for_another_group(self):
        world = """
h
  six {VGPU 6}
  five {VGPU 5}
  c {VGPU 1} <TA>
  d {VGPU 1} <TA>
"""
        self.assert_candidates(
            world,
            "resources1=VGPU:5&resources2=VGPU:4&resources3=VGPU:1&required3=TA&resources=VGPU:2"
            "&group_policy=isolate",
            "c(VGPU 1) + five(VGPU 5) + six(VGPU 6); 1=five 2=six 3=c",
            "d(VGPU 1) + five(VGPU 5) + six(VGPU 6); 1=five 2=six 3=d",
        )

    def test_a_failed_state_does_not_rule_out_one_with_other_unused_trees(self):
        world = """
h {DISK_GB 1} [x]
s
  s1 {VCPU 1} <SHARE> [x]
  s2 {VGPU 1} <SHARE> [x]
t
  t1 {VGPU 1} <SHARE> [x]
  t2 {VCPU 1, VGPU 1} <SHARE> [x]
u {VGPU 1} <SHARE> [x]
"""
        groups = "&".join(f"resources{n}=VGPU:1" for n in (2, 3, 4))
        taken = "h(DISK_GB 1) + s2(VGPU 1) + t2(VCPU 1, VGPU 1) + u(VGPU 1); 1=t2"
        self.assert_candidates(
            world,
            f"resources1=VCPU:1&{groups}&resources5=DISK_GB:1&group_policy=none",
            *(
                f"{taken} 2={a} 3={b} 4={c} 5=h"
                for a, b, c in itertools.permutations(["s2", "t2", "u"])
            ),
            one_provider_per_tree=True,
        )


class Order(unittest.TestCase):
    """The strategies, and the work that is skipped when no more candidates are wanted."""

    WORLD = "".join(f"t{n}\n  a{n} {{VCPU 1}}\n  b{n} {{VCPU 1}}\n" for n in range(3))

    def first_lines(self, count, **options):
        world = World(self.WORLD)
        found = anchors.search([world.forest()], world.query("resources=VCPU:1"), **options)
        return [world.line(candidate) for candidate in itertools.islice(found, count)]

    def test_depth_first_finishes_one_tree_before_the_next(self):
        self.assertEqual(["a0(VCPU 1)", "b0(VCPU 1)", "a1(VCPU 1)"], self.first_lines(3))

    def test_breadth_first_takes_one_candidate_of_each_tree_in_turn(self):
        self.assertEqual(
            ["a0(VCPU 1)", "a1(VCPU 1)", "a2(VCPU 1)", "b0(VCPU 1)"],
            self.first_lines(4, breadth_first=True),
        )

    def test_breadth_first_finds_all_candidates(self):
        self.assertEqual(
            sorted(self.first_lines(None)), sorted(self.first_lines(None, breadth_first=True))
        )

    def test_a_batch_is_read_only_when_it_is_needed(self):
        world = World(self.WORLD)

        def batches():
            yield world.forest("t0")
            yield world.forest("t1")
            self.fail("the third batch was fetched for nothing")

        for breadth_first in (False, True):
            found = anchors.search(
                batches(), world.query("resources=VCPU:1"), breadth_first=breadth_first
            )
            self.assertEqual(2, len(list(itertools.islice(found, 2))))

    def test_a_sharing_provider_in_two_batches_is_one_candidate(self):
        world = World("a [x]\nb [x]\ns {DISK_GB 1} <SHARE> [x]\n")
        batches = [world.forest("a"), world.forest("b", "s")]
        found = anchors.search(batches, world.query("resources=DISK_GB:1"))
        self.assertEqual(["s(DISK_GB 1)"], [world.line(candidate) for candidate in found])

    def test_candidates_of_sharing_providers_alone_are_searched_only_once(self):
        hosts = "".join(f"h{number} [x]\n" for number in range(9))
        world = World(hosts + "s {DISK_GB 1} <SHARE> [x]\n")
        effort = Effort()
        found = anchors.search(
            [world.forest()], world.query("resources=DISK_GB:1"), effort=effort
        )
        self.assertEqual(["s(DISK_GB 1)"], [world.line(candidate) for candidate in found])
        self.assertEqual(1, effort.candidates)


class Nothing(unittest.TestCase):
    """A query whose only group was given up: has_candidate takes a shortcut."""

    def test_a_query_without_groups_has_candidates_where_the_root_qualifies(self):
        forest = World(CELLS).forest("h")
        [root_id] = forest.root_ids
        traits = forest.providers[root_id].traits
        for required, expected in ((frozenset(), True), (traits, True), (traits | {-1}, False)):
            query = ResolvedQuery((), root_required=required)
            prepared = anchors.prepare(query, one_provider_per_tree=False, effort=Effort())
            self.assertIs(expected, anchors.has_candidate(forest, root_id, prepared))
            self.assertIs(expected, anchors.first_at(forest, root_id, prepared) is not None)
