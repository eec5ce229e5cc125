"""The options of a request for candidates become a query string."""

import argparse
import unittest

from osc_lib import exceptions

from osc_placement_server import candidate_query


def pairs(arguments):
    parser = argparse.ArgumentParser()
    candidate_query.add_arguments(parser)
    return candidate_query.pairs_of(parser.parse_args(arguments.split()))


class Requests(unittest.TestCase):
    def test_amounts_of_several_classes_are_one_parameter(self):
        self.assertEqual(
            [("resources", "VCPU:4,MEMORY_MB:1024")],
            pairs("--resource VCPU=4 --resource MEMORY_MB=1024"),
        )

    def test_each_choice_of_traits_is_a_parameter_of_its_own(self):
        self.assertEqual(
            [("resources", "VCPU:1"), ("required", "in:A,B"), ("required", "C,!D")],
            pairs("--resource VCPU=1 --required A,B --required C --forbidden D"),
        )

    def test_each_set_of_aggregates_is_a_parameter_of_its_own(self):
        self.assertEqual(
            [("member_of", "in:x,y"), ("member_of", "in:z"), ("member_of", "!in:v,w")],
            pairs("--resource VCPU=1 --member-of x,y --member-of z --not-member-of v,w")[1:],
        )

    def test_options_after_a_group_belong_to_it(self):
        self.assertEqual(
            [
                ("resources", "DISK_GB:1"),
                ("resources_CPU", "VCPU:2"),
                ("in_tree_CPU", "x"),
                ("resources_GPU", "PGPU:1"),
                ("required_GPU", "A"),
                ("group_policy", "isolate"),
                ("same_subtree", "_CPU,_GPU"),
            ],
            pairs(
                "--resource DISK_GB=1 --group _CPU --resource VCPU=2 --in-tree x --group _GPU"
                " --resource PGPU=1 --required A --group-policy isolate --same-subtree _CPU,_GPU"
            ),
        )

    def test_a_group_without_resources_may_join_others_in_a_subtree(self):
        self.assertEqual(
            [("resources1", "VCPU:2"), ("required2", "A")],
            pairs("--group 1 --resource VCPU=2 --group 2 --required A --same-subtree 1,2")[:2],
        )

    def test_traits_of_the_root_are_one_parameter(self):
        self.assertEqual(
            ("root_required", "A,B,!C"),
            pairs("--resource VCPU=1 --root-required A --root-required B --root-forbidden C")[-1],
        )

    def test_a_url_from_a_log_is_taken_as_it_is(self):
        logged = "/placement/allocation_candidates?limit=1000&resources=VCPU%3A1&required=%21A"
        expected = [("limit", "1000"), ("resources", "VCPU:1"), ("required", "!A")]
        self.assertEqual(expected, pairs(f"--query {logged}"))
        self.assertEqual(expected, pairs(f"--query {logged.partition('?')[2]}"))

    def test_what_is_not_a_request_is_refused(self):
        for arguments, reason in (
            ("", "At least one --resource"),
            ("--required A", "At least one --resource"),
            ("--resource VCPU", "not 'VCPU'"),
            ("--resource VCPU=", "not 'VCPU='"),
            ("--query resources=VCPU:1 --required A", "cannot be combined"),
            ("--query resources=VCPU:1 --root-required A", "cannot be combined"),
        ):
            with self.subTest(arguments), self.assertRaisesRegex(
                exceptions.CommandError, reason
            ):
                pairs(arguments)
