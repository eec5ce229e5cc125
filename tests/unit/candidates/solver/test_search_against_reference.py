"""The search finds exactly what trying everything finds, on small random forests and queries."""

import dataclasses
import random
import unittest

import hypothesis
from hypothesis import strategies as st

from placement.candidates.query import ResolvedGroup
from placement.candidates.solver import anchors
from tests import properties, reference
from tests.dice import MOST_COMBINATIONS, Dice, combinations, forest, identity, roots_of

random_tests = hypothesis.settings(properties.SETTINGS, max_examples=600)


class SearchAgainstReference(unittest.TestCase):
    @random_tests
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_the_search_agrees_with_brute_force_for_few_groups_in_several_trees(self, random):
        sizes = [random.randint(1, 4) for _ in range(random.randint(1, 3))]
        self.compare(random, sizes, granular_groups=random.randint(0, 3))

    @random_tests
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_the_search_agrees_with_brute_force_for_many_groups_in_one_tree(self, random):
        self.compare(random, [random.randint(2, 6)], granular_groups=random.randint(2, 5))

    def test_random_queries_have_each_field_of_a_group(self):
        """If it fails, the search for a new parameter is compared with nothing."""
        dice, drawn = Dice(random.Random(1)), set()
        defaults = {
            each.name: each.default
            for each in dataclasses.fields(ResolvedGroup)
            if each.init and each.default is not dataclasses.MISSING
        }
        for _ in range(500):
            group = dice.group("_1", [1])
            drawn |= {name for name in defaults if getattr(group, name) != defaults[name]}
        self.assertEqual(defaults.keys(), drawn, "for tests/dice.py and tests/reference.py")

    def compare(self, random, sizes, granular_groups):
        dice = Dice(random)
        providers = dice.providers(sizes)
        query = dice.query(providers, granular_groups)
        hypothesis.assume(combinations(providers, query) <= MOST_COMBINATIONS)
        breadth_first, one_per_tree = dice.one_in(2), dice.one_in(4)
        whole = forest(providers, roots_of(providers))
        batches = [forest(providers, [root_id]) for root_id in roots_of(providers)]

        expected = reference.candidates(whole, query, one_per_tree)
        hypothesis.event(f"candidates: {min(len(expected), 3)}")
        for batch in ([whole], batches):
            found = [identity(c) for c in anchors.search(batch, query, breadth_first, one_per_tree)]
            self.assertEqual(expected, set(found))
            self.assertEqual(len(found), len(set(found)))
