"""Equivalent states have the same key, and only a limited number of them is remembered."""

import unittest

from placement.candidates.solver import nogoods
from tests.trees import ancestors_in

DEMANDS = ((2, ((1, 1),), True),)
PARENTS = {1: None, 2: 1, 3: 1, 4: 2, 5: 3, 11: None, 12: 11, 13: 12}
ancestors = ancestors_in(PARENTS)


class Keys(unittest.TestCase):
    def setUp(self):
        self.nogoods = nogoods.Nogoods()

    def by_tree(self, forms):
        return self.nogoods.by_tree(DEMANDS, forms, ancestors)

    def test_states_that_differ_only_in_the_order_of_providers_are_alike(self):
        self.nogoods.add(self.nogoods.flat(DEMANDS, {2: "full", 3: "half"}))
        self.assertIn(self.nogoods.flat(DEMANDS, {3: "full", 5: "half"}), self.nogoods)

    def test_states_with_different_numbers_of_providers_are_not_alike(self):
        self.nogoods.add(self.nogoods.flat(DEMANDS, {2: "full"}))
        self.assertNotIn(self.nogoods.flat(DEMANDS, {2: "full", 3: "full"}), self.nogoods)
        self.assertNotIn(self.nogoods.flat((), {2: "full"}), self.nogoods)

    def test_branches_of_a_tree_may_be_exchanged(self):
        self.assertEqual(self.by_tree({2: "a", 4: "b"}), self.by_tree({3: "a", 5: "b"}))
        self.assertEqual(self.by_tree({4: "a", 5: "b"}), self.by_tree({4: "b", 5: "a"}))

    def test_states_with_different_ancestors_are_not_alike(self):
        self.assertNotEqual(self.by_tree({2: "a", 4: "b"}), self.by_tree({2: "b", 4: "a"}))
        self.assertNotEqual(self.by_tree({2: "a", 4: "b"}), self.by_tree({2: "a", 5: "b"}))
        self.assertNotEqual(self.by_tree({4: "a", 5: "a"}), self.by_tree({4: "a", 13: "a"}))

    def test_trees_of_one_shape_are_alike(self):
        self.assertEqual(self.by_tree({4: "a"}), self.by_tree({13: "a"}))


class Memory(unittest.TestCase):
    def test_the_oldest_failed_states_are_forgotten_when_there_are_too_many(self):
        remembered = nogoods.Nogoods()
        first = remembered.flat(DEMANDS, {1: "first"})
        remembered.add(first)
        for number in range(nogoods.MOST_REMEMBERED):
            remembered.add(remembered.flat(DEMANDS, {1: number}))
        self.assertNotIn(remembered.flat(DEMANDS, {1: "first"}), remembered)
        self.assertTrue(remembered)
