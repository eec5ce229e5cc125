"""The first sentence of an explanation: it has to be true, and to name the cause."""

import unittest

from placement.candidates.why import sentence
from placement.candidates.why.explain import Explained
from placement.db.search.hosts import MarkedProvider
from tests.trees import World
from tests.unit.candidates.why import explaining


class Sentences(unittest.TestCase):
    def sentence(self, world, query, *texts):
        """`texts` are the texts of the constraints, in the same order."""
        world = World(world)
        explanation = explaining.explanation(world.query(query))
        explanation.examine(world.forest())
        asked = [each.constraint for each in explanation.counts]
        said = dict(zip(asked, texts, strict=True))
        providers = {
            each.id: MarkedProvider(each.uuid, each.uuid, False) for each in world.providers
        }
        return sentence.sentence(Explained(explanation, said, {}, [], providers, {}, None))

    def test_a_sentence_gives_each_reason_its_own_hosts_and_limit(self):
        world = """
h1 {VCPU 100 max_unit 2}
h2 {VCPU 100 max_unit 3}
h3 {VCPU 100 max_unit 2}
h4 {VCPU 7}
h5 {VCPU 5}
h6 {MEMORY_MB 9}
"""
        self.assertEqual(
            "0 of 6 hosts: 3 allow at most 3 VCPU at once (max_unit, asked for 8), 2 have too "
            "little VCPU free (at most 7, asked for 8), 1 offers no VCPU.",
            self.sentence(world, "resources=VCPU:8", "VCPU:8"),
        )

    def test_later_reasons_count_the_hosts_that_earlier_ones_leave(self):
        world = """
h1 {VCPU 4}
h2 {VCPU 4}
h3 {VCPU 1} <CUSTOM_A>
h4 {VCPU 4} <CUSTOM_A>
"""
        self.assertEqual(
            "1 of 4 hosts: 2 lack CUSTOM_A; of the other 2, 1 has too little VCPU free "
            "(at most 1, asked for 2).",
            self.sentence(world, "resources=VCPU:2&required=CUSTOM_A", "CUSTOM_A", "VCPU:2"),
        )

    def test_min_unit_and_step_size_are_named_as_reasons(self):
        self.assertEqual(
            "0 of 2 hosts: 1 allows no less than 4 VCPU (min_unit, asked for 3), 1 allows VCPU "
            "only in steps of 2 (step_size, asked for 3).",
            self.sentence(
                "h1 {VCPU 9 min_unit 4}\nh2 {VCPU 9 step_size 2}\n", "resources=VCPU:3", "VCPU:3"
            ),
        )

    def test_alternatives_are_read_as_words_not_as_in_the_query(self):
        world = "h {VCPU 4} <CUSTOM_C>\n"
        query = "resources=VCPU:4&required=in:CUSTOM_A,CUSTOM_B"
        self.assertEqual(
            "0 of 1 host: 1 lacks CUSTOM_A or CUSTOM_B.",
            self.sentence(world, query, "in:CUSTOM_A,CUSTOM_B", "VCPU:4"),
        )

    def test_one_group_may_meet_each_constraint_but_not_all_together(self):
        world = "h {VCPU 4}\n  gpu {VGPU 1} <CUSTOM_A>\n"
        self.assertEqual(
            "0 of 1 host: 1 meets each constraint, but not all of them together: gpu has the trait "
            "CUSTOM_A, but cannot serve 4 VCPU.",
            self.sentence(
                world, "resources=VCPU:4&required=CUSTOM_A", "CUSTOM_A", "VCPU:4", None
            ),
        )

    def test_one_of_several_hosts_that_do_not_meet_all_constraints_is_an_example(self):
        world = """
h1 {VCPU 4, DISK_GB 9}
  g1 {VGPU 1} <CUSTOM_A>
h2 {VCPU 4, DISK_GB 9}
  g2 {VCPU 1} <CUSTOM_B>
"""
        self.assertEqual(
            "0 of 2 hosts: 2 meet each constraint, but not all of them together: on one of them, "
            "g1 has the trait CUSTOM_A or CUSTOM_B, but cannot serve 4 VCPU or 9 DISK_GB.",
            self.sentence(
                world,
                "resources=VCPU:4,DISK_GB:9&required=in:CUSTOM_A,CUSTOM_B",
                *("in:CUSTOM_A,CUSTOM_B", "VCPU:4", "DISK_GB:9", None),
            ),
        )

    def test_a_refusal_that_only_the_search_finds_names_no_cause(self):
        """Each of the two groups fits by itself, but the two do not fit together."""
        world = "h {VCPU 4}\n"
        self.assertEqual(
            "0 of 1 host: 1 meets each constraint, but not all of them together.",
            self.sentence(
                world, "resources=VCPU:3&resources1=VCPU:3", "VCPU:3", "VCPU:3", None
            ),
        )

    def test_groups_that_are_not_in_one_subtree_are_named_with_their_hosts(self):
        world = """
h
  a {VCPU 4}
  b
    bg {VGPU 2}
"""
        query = "resources_V=VCPU:4&resources_G=VGPU:1&same_subtree=_V,_G&group_policy=none"
        self.assertEqual(
            "0 of 1 host: 1 can serve _G and _V, but not in one subtree.",
            self.sentence(world, query, "VCPU:4", "VGPU:1", "_G,_V"),
        )
