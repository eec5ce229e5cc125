"""How a large cloud is narrowed. If a test fails, searches are many times slower.

Source: doc/explanation/search.rst.
"""

import unittest

from placement.db.search import narrowing


class FirstWindow(unittest.TestCase):
    def test_a_few_roots_are_looked_for_among_the_next_ones(self):
        self.assertEqual(4, narrowing.first_window(1, at_random=False))
        self.assertEqual(400, narrowing.first_window(100, at_random=False))

    def test_many_roots_are_not_looked_for_among_the_next_ones(self):
        self.assertIsNone(narrowing.first_window(101, at_random=False))
        self.assertIsNone(narrowing.first_window(None, at_random=False))

    def test_random_roots_are_not_looked_for_among_the_next_ones(self):
        self.assertIsNone(narrowing.first_window(1, at_random=True))


class Sizes(unittest.TestCase):
    def test_all_roots_are_read_at_once_for_all_candidates(self):
        self.assertEqual([], narrowing.sizes(has_granular=True, wanted=None))

    def test_a_few_more_roots_are_read_than_candidates_are_wanted(self):
        self.assertEqual([1010], narrowing.sizes(has_granular=False, wanted=1000))
        self.assertEqual([110], narrowing.sizes(has_granular=True, wanted=100))

    def test_of_many_roots_half_are_read_first_where_trees_may_have_several_candidates(self):
        self.assertEqual([60, 60], narrowing.sizes(has_granular=True, wanted=101))
        self.assertEqual([510, 510], narrowing.sizes(has_granular=True, wanted=1000))


def largest_id(wanted, needed, excluded):
    return narrowing.largest_id_in_sets(wanted, needed_count=needed, excluded_count=excluded)


class LargestIdInSets(unittest.TestCase):
    def test_sets_are_read_if_ids_are_small(self):
        self.assertEqual(20_000, largest_id(1, needed=1, excluded=0))
        self.assertEqual(20_000, largest_id(666, needed=1, excluded=0))

    def test_ids_may_be_larger_the_more_candidates_are_wanted(self):
        self.assertEqual(20_010, largest_id(667, needed=1, excluded=0))
        self.assertEqual(50_000, largest_id(1_667, needed=1, excluded=0))
        self.assertEqual(50_000, largest_id(None, needed=1, excluded=0))

    def test_sets_are_read_for_one_to_twenty_requirements(self):
        self.assertIsNone(largest_id(None, needed=0, excluded=1))
        self.assertEqual(50_000, largest_id(None, needed=11, excluded=9))
        self.assertIsNone(largest_id(None, needed=12, excluded=9))


class Rare(unittest.TestCase):
    def test_a_condition_is_rare_if_at_most_half_of_the_roots_meet_it(self):
        self.assertTrue(narrowing.is_rare(providers=500, roots=1000))
        self.assertFalse(narrowing.is_rare(providers=501, roots=1000))

    def test_a_condition_that_many_providers_meet_is_never_rare(self):
        self.assertTrue(narrowing.is_rare(providers=2500, roots=1_000_000))
        self.assertFalse(narrowing.is_rare(providers=2501, roots=1_000_000))

    def test_among_few_roots_nothing_is_rare(self):
        self.assertTrue(narrowing.is_rare(providers=1, roots=500))
        self.assertFalse(narrowing.is_rare(providers=1, roots=499))

    def test_enough_roots_are_counted_to_tell(self):
        most_counted = narrowing.most_counted_roots(seen=0)
        self.assertTrue(narrowing.is_rare(narrowing.MOST_RARE, most_counted))
        self.assertEqual(5001, narrowing.most_counted_roots(seen=400))
        self.assertEqual(6001, narrowing.most_counted_roots(seen=6000))
