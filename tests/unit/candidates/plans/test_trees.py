"""What is known of the trees of a cloud without a search."""

import unittest

from placement.candidates.plans.needs import Need, Part
from placement.candidates.plans.trees import Trees
from tests.trees import World


class MayHold(unittest.TestCase):
    """If a test fails, a plan searches trees in vain, or passes over a tree that has room."""

    def may_hold(self, drawn, amount):
        world = World(drawn)
        part = Part(((world.class_ids["VCPU"], amount),), frozenset(), frozenset())
        need = Need((part,), (), frozenset(), None, (), may_share=False)
        forest = world.forest("host")
        return Trees(forest).may_hold(need, forest.root_ids[0])

    def test_what_one_provider_has_left_may_be_held(self):
        drawn = "host {VCPU 2}\n  node {VCPU 8 used 5}"
        self.assertTrue(self.may_hold(drawn, 3))
        self.assertFalse(self.may_hold(drawn, 4))

    def test_not_even_one_may_be_held_where_nothing_is_left(self):
        self.assertFalse(self.may_hold("host {VCPU 2 used 2}", 1))
        self.assertFalse(self.may_hold("host {DISK_GB 2}\nother {VCPU 2}", 1))
