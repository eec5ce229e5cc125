"""What an answer shows: A1 to A4 of doc/explanation/rules.rst."""

import unittest

from placement.candidates.search import SearchResult
from placement.candidates.solver import anchors
from placement.db.names_and_ids import Vocabulary
from placement.documents import allocation_candidates
from tests.trees import World

OLDEST = {
    "allocations_as_list": True,
    "with_mappings": False,
    "with_traits": False,
    "whole_trees": False,
    "all_classes": False,
}


class Presenting(unittest.TestCase):
    def present(self, text, query, **form):
        world = World(text)
        resolved = world.query(query)
        found = SearchResult(
            list(anchors.search([world.forest()], resolved)),
            Vocabulary(
                {class_id: name for name, class_id in world.class_ids.items()},
                {trait_id: name for name, trait_id in world.trait_ids.items()},
            ),
            frozenset(class_id for group in resolved.groups for class_id in group.amounts),
        )
        form = allocation_candidates.Form(**form)
        return {
            "allocation_requests": list(allocation_candidates.allocation_requests(found, form)),
            "provider_summaries": dict(allocation_candidates.provider_summaries(found, form)),
        }

    HOST = "p {VCPU 9 used 3, MEMORY_MB 10} <TB, TA>"

    def test_candidates_of_1_10_list_allocations_and_summaries(self):
        self.assertEqual(
            {
                "allocation_requests": [
                    {
                        "allocations": [
                            {"resource_provider": {"uuid": "p"}, "resources": {"VCPU": 1}}
                        ]
                    }
                ],
                "provider_summaries": {"p": {"resources": {"VCPU": {"capacity": 9, "used": 3}}}},
            },
            self.present(self.HOST, "resources=VCPU:1", **OLDEST),
        )

    def test_candidates_since_1_12_are_keyed_by_provider(self):
        body = self.present(self.HOST, "resources=VCPU:1,MEMORY_MB:2", with_mappings=False)
        self.assertEqual(
            [{"allocations": {"p": {"resources": {"VCPU": 1, "MEMORY_MB": 2}}}}],
            body["allocation_requests"],
        )

    def test_candidates_of_the_newest_version_have_mappings_and_trees(self):
        self.assertEqual(
            {
                "allocation_requests": [
                    {"allocations": {"p": {"resources": {"VCPU": 1}}}, "mappings": {"": ["p"]}}
                ],
                "provider_summaries": {
                    "p": {
                        "resources": {
                            "VCPU": {"capacity": 9, "used": 3},
                            "MEMORY_MB": {"capacity": 10, "used": 0},
                        },
                        "traits": ["TB", "TA"],
                        "parent_provider_uuid": None,
                        "root_provider_uuid": "p",
                    }
                },
            },
            self.present(self.HOST, "resources=VCPU:1"),
        )

    def test_an_answer_without_candidates_is_two_empty_members(self):
        self.assertEqual(
            {"allocation_requests": [], "provider_summaries": {}},
            self.present(self.HOST, "resources=VCPU:100"),
        )

    def test_mappings_distinguish_groups_whose_amounts_are_added(self):
        body = self.present("p {VCPU 4}", "resources=VCPU:1&resources1=VCPU:2&group_policy=none")
        self.assertEqual(
            [
                {
                    "allocations": {"p": {"resources": {"VCPU": 3}}},
                    "mappings": {"": ["p"], "1": ["p"]},
                }
            ],
            body["allocation_requests"],
        )

    def test_mappings_name_each_provider_of_the_unsuffixed_group_once(self):
        world = """
h {MEMORY_MB 8}
  c {VCPU 2, PCPU 2}
"""
        body = self.present(world, "resources=VCPU:1,PCPU:1,MEMORY_MB:1")
        self.assertEqual([{"": ["c", "h"]}], [r["mappings"] for r in body["allocation_requests"]])

    TREES = """
h {MEMORY_MB 8} [x]
  c1 {VCPU 2}
    d
  c2 {VCPU 9}
idle {VCPU 1}
s <SHARE> [x]
  s1 {DISK_GB 9, VCPU 1, PCPU 4} <SHARE, TS> [x]
"""

    def test_whole_trees_are_summarised(self):
        body = self.present(
            self.TREES, "resources=VCPU:3,DISK_GB:1", with_traits=False, with_mappings=False
        )
        summaries = body["provider_summaries"]
        self.assertEqual({"h", "c1", "d", "c2", "s", "s1"}, set(summaries))
        self.assertEqual(
            {"resources": {}, "parent_provider_uuid": "c1", "root_provider_uuid": "h"},
            summaries["d"],
        )
        self.assertEqual("s", summaries["s1"]["root_provider_uuid"])

    def test_traits_are_listed_in_the_order_of_their_creation(self):
        # A set of numbers does not keep them in order if they are far apart.
        made = [f"T{number}" for number in range(1, 41)]
        text = "first {VCPU 1} <" + ", ".join(made) + ">\nhost {FPGA 1} <T40, T33, T8, T1>\n"
        body = self.present(text, "resources=FPGA:1")
        self.assertEqual(["T1", "T8", "T33", "T40"], body["provider_summaries"]["host"]["traits"])

    def test_only_the_providers_taken_from_are_summarised_for_older_clients(self):
        body = self.present(self.TREES, "resources=VCPU:3,DISK_GB:1", **OLDEST)
        self.assertEqual(
            {
                "c2": {"resources": {"VCPU": {"capacity": 9, "used": 0}}},
                "s1": {
                    "resources": {
                        "DISK_GB": {"capacity": 9, "used": 0},
                        "VCPU": {"capacity": 1, "used": 0},
                    }
                },
            },
            body["provider_summaries"],
        )

    def test_the_tree_of_an_anchor_that_provides_nothing_is_not_summarised(self):
        world = """
a [x, y]
s {DISK_GB 9} <SHARE> [x]
t {IPV4_ADDRESS 9} <SHARE> [y]
"""
        body = self.present(world, "resources=DISK_GB:1,IPV4_ADDRESS:1")
        self.assertEqual({"s", "t"}, set(body["provider_summaries"]))

    def test_a_group_without_resources_is_mapped_but_not_summarised(self):
        body = self.present(
            self.TREES, "resources_V=VCPU:3&required_S=TS&same_subtree=_S&group_policy=none"
        )
        self.assertEqual(
            [{"_V": ["c2"], "_S": ["s1"]}], [r["mappings"] for r in body["allocation_requests"]]
        )
        self.assertEqual({"h", "c1", "d", "c2"}, set(body["provider_summaries"]))
