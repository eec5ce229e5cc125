"""From a query string to a CandidateQuery: Q1 to Q4 of doc/explanation/rules.rst."""

import unittest
import urllib.parse

from placement import errors, exception
from placement.candidates.query import CandidateQuery, Group
from placement.queries import candidate_query
from placement.queries.candidate_query import QueryRules

A = "a1b2c3d4-0000-4000-8000-00000000000a"
B = "a1b2c3d4-0000-4000-8000-00000000000b"
NEWEST = QueryRules()
# The rules before there were groups without resources and repeated `required`.
OLDER = QueryRules(resourceless_groups=False, any_traits=False)


def parse(text, rules=NEWEST):
    return candidate_query.parse(urllib.parse.parse_qsl(text, keep_blank_values=True), rules)


class Parsing(unittest.TestCase):
    def test_an_unsuffixed_group_is_parsed_with_all_its_parameters(self):
        self.assertEqual(
            CandidateQuery(
                groups=(
                    Group(
                        "",
                        {"VCPU": 1},
                        required=(frozenset({"T"}),),
                        forbidden=frozenset({"F"}),
                        member_of=(frozenset({A}),),
                        not_member_of=frozenset({B}),
                        in_tree=A,
                    ),
                ),
                limit=7,
            ),
            parse(
                f"resources=VCPU:1&required=T,!F&member_of={A}&member_of=!{B}&in_tree={A}&limit=7"
            ),
        )

    def test_group_policy_root_required_and_same_subtree_are_parsed(self):
        found = parse(
            "resources_A=VCPU:1&resources_B=VGPU:1&group_policy=isolate"
            "&same_subtree=_A, _B&same_subtree=_A&root_required=T,!F"
        )
        self.assertTrue(found.isolate)
        self.assertEqual((frozenset({"_A", "_B"}), frozenset({"_A"})), found.same_subtrees)
        self.assertEqual(frozenset({"T"}), found.root_required)
        self.assertEqual(frozenset({"F"}), found.root_forbidden)

    def test_groups_come_in_the_order_of_their_first_parameter(self):
        found = parse(
            "required2=T&resources1=VCPU:1&resources=VCPU:1&resources2=VCPU:1&group_policy=none"
        )
        self.assertEqual(["2", "1", ""], [group.suffix for group in found.groups])

    def test_suffixes_are_compared_as_they_are_spelt(self):
        found = parse(
            "resources1=VCPU:1&resources01=VCPU:1&resources_root=VCPU:1&required_root=T"
            "&group_policy=none"
        )
        self.assertEqual(["1", "01", "_root"], [group.suffix for group in found.groups])
        self.assertEqual(frozenset(), found.root_required)

    def test_the_last_of_repeated_resources_and_in_tree_counts(self):
        (group,) = parse(f"resources=VCPU:1&resources=VGPU:2&in_tree={A}&in_tree={B}").groups
        self.assertEqual(({"VGPU": 2}, B), (group.resources, group.in_tree))

    def test_repeated_traits_are_all_required_or_the_last_are_the_only_ones(self):
        text = "resources=VCPU:1&required=T1,,&required=T2"
        (group,) = parse(text, OLDER).groups
        self.assertEqual((frozenset({"T2"}),), group.required)
        (group,) = parse(text.replace(",,", ""), NEWEST).groups
        self.assertEqual((frozenset({"T1"}), frozenset({"T2"})), group.required)

    def test_the_first_of_repeated_limit_and_group_policy_counts(self):
        found = parse(
            "resources1=VCPU:1&resources2=VCPU:1&limit=5&limit=1"
            "&group_policy=isolate&group_policy=none"
        )
        self.assertEqual((5, True), (found.limit, found.isolate))

    def test_a_limit_is_a_number(self):
        for limit in (1, 1000, 10**18 - 1):
            self.assertEqual(limit, parse(f"resources=VCPU:1&limit={limit}").limit)

    def test_an_enormous_limit_is_the_same_as_none(self):
        for limit in ("1" + "0" * 18, "9" * 5000):
            self.assertIsNone(parse(f"resources=VCPU:1&limit={limit}").limit)

    def test_a_trait_can_be_both_forbidden_and_one_of_several_alternatives(self):
        (group,) = parse("resources=VCPU:1&required=in:T1,T2&required=!T1").groups
        self.assertEqual(frozenset({"T1"}), group.forbidden)

    def test_a_group_without_resources_is_named_in_same_subtree(self):
        found = parse("resources=VCPU:1&required_N=T&same_subtree=_N")
        self.assertEqual([{"VCPU": 1}, {}], [group.resources for group in found.groups])


class Refusals(unittest.TestCase):
    def assert_refused(self, text, sentence, code=errors.UNDEFINED, rules=NEWEST):
        with self.subTest(text=text), self.assertRaises(exception.BadQuery) as caught:
            parse(text, rules)
        self.assertIn(sentence, str(caught.exception))
        self.assertEqual(code, caught.exception.code)

    def test_contradictory_or_repeated_root_required_is_refused(self):
        self.assert_refused(
            "resources=VCPU:1&root_required=A&root_required=B",
            "Query parameter 'root_required' may be specified only once.",
            errors.QUERY_DUPLICATE_KEY,
        )
        self.assert_refused(
            "resources=VCPU:1&root_required=A,B,!B",
            "Conflicting required and forbidden traits found in root_required: B",
            errors.QUERY_BAD_VALUE,
        )
        self.assert_refused(
            "resources=VCPU:1&root_required=A,",
            "Expected 'required' parameter value of the form: HW_CPU_X86_VMX,!CUSTOM_MAGIC.",
        )
        self.assert_refused(
            "resources=VCPU:1&root_required=in:A", "only supported since microversion 1.39"
        )

    def test_same_subtree_of_unknown_or_empty_suffixes_is_refused(self):
        for value in ("", " ", "_A,"):
            self.assert_refused(
                f"resources_A=VCPU:1&same_subtree={value}",
                "Empty string (unsuffixed group) can not be specified in `same_subtree`",
                errors.QUERY_BAD_VALUE,
            )
        self.assert_refused(
            "resources_A=VCPU:1&same_subtree=_B,_A",
            "Real suffixes should be specified in `same_subtree`: ['_B'] not found in ['_A'].",
            errors.QUERY_BAD_VALUE,
        )

    def test_a_group_without_resources_outside_of_same_subtree_is_refused(self):
        self.assert_refused(
            "required_A=T&same_subtree=_A",
            "There must be at least one resources or resources[$S] parameter.",
            errors.QUERY_MISSING_VALUE,
        )
        self.assert_refused(
            "", "There must be at least one resources", errors.QUERY_MISSING_VALUE
        )
        self.assert_refused(
            "resources_B=VCPU:1&required_A=T&required=T",
            "Resourceless suffixed group request should be specified in `same_subtree` query "
            "param: bad group(s) - ['', '_A'].",
            errors.QUERY_BAD_VALUE,
        )

    def test_a_group_without_resources_is_refused_by_older_versions(self):
        for text, sentence in (
            ("", "At least one request group (`resources` or `resources{$S}`) is required."),
            (
                f"required=T,!F&resources2=VCPU:1&required1=T&member_of3={A}",
                "All traits parameters must be associated with resources.  Found the following",
            ),
            (
                "required=T&resources2=VCPU:1&required1=T",
                "Found the following orphaned traits keys: required, required1",
            ),
            (
                f"member_of1=!{A}&resources2=VCPU:1&required1=!T",
                "All member_of parameters must be associated with resources. "
                "Found the following orphaned member_of keys: member_of1",
            ),
            ("resources2=VCPU:1&required1=!T", "All request groups must specify resources."),
            (f"resources2=VCPU:1&in_tree1={A}", "All request groups must specify resources."),
        ):
            self.assert_refused(text, sentence, rules=OLDER)

    def test_a_trait_both_required_and_forbidden_is_refused(self):
        self.assert_refused(
            "resources1=VCPU:1&required1=in:C,D&required1=!C,!D&resources=VCPU:1&required=A,!A",
            "Conflicting required and forbidden traits found in the following traits keys: "
            "required1: (C, D), required: (A)",
        )

    def test_two_granular_groups_without_group_policy_are_refused(self):
        sentence = 'The "group_policy" parameter is required when specifying more than one'
        self.assert_refused("resources1=VCPU:1&resources2=VCPU:1", sentence)
        self.assert_refused("resources1=VCPU:1&required2=T&same_subtree=2", sentence)

    def test_the_first_bad_value_of_the_groups_is_reported(self):
        resources = "expected positive integer amount. Got: x."
        aggregates = "parameter to contain valid UUID(s). Got: y"
        self.assert_refused("resources=VCPU:x&member_of=y", resources)
        self.assert_refused("member_of=y&resources=VCPU:x", aggregates)
        # All values of a set are read at the place of the first one, a single value at its own
        # place.
        self.assert_refused(f"member_of={A}&resources=VCPU:x&member_of=y", aggregates)
        self.assert_refused(f"in_tree={A}&resources=VCPU:x&in_tree=y", resources)
        self.assert_refused("resources=VCPU:1&member_of=y&resources=VCPU:x", aggregates)

    def test_errors_of_the_root_come_first_and_those_of_subtrees_before_groups(self):
        text = "resources=VCPU:x&same_subtree=,&root_required=,"
        self.assert_refused(text, "Got an empty trait in: ,")
        self.assert_refused(
            text.replace("&root_required=,", ""),
            "Empty string (unsuffixed group)",
            errors.QUERY_BAD_VALUE,
        )
