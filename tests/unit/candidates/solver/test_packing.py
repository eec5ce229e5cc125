"""Bounds on all slots together: a bound may miss a failure, but must never report a false one."""

import collections
import itertools
import unittest

import hypothesis
from hypothesis import strategies as st

from placement.candidates.solver import packing
from tests import properties

ROOMS = st.lists(st.integers(0, 12), min_size=1, max_size=4)
AMOUNTS = st.lists(st.integers(1, 8), min_size=1, max_size=6)
CHOICES = st.lists(st.sets(st.integers(1, 5), min_size=1), min_size=1, max_size=5)


def fits(amounts, rooms):
    """Try every provider for every amount."""
    return any(
        all(
            sum(amount for amount, taken in zip(amounts, choice, strict=True) if taken == index)
            <= room
            for index, room in enumerate(rooms)
        )
        for choice in itertools.product(range(len(rooms)), repeat=len(amounts))
    )


class MayFit(unittest.TestCase):
    def may_fit(self, amounts, rooms):
        return packing.may_fit(collections.Counter(amounts), rooms)

    @properties.SETTINGS
    @hypothesis.given(AMOUNTS, ROOMS)
    def test_may_fit_is_exact_for_small_problems(self, amounts, rooms):
        self.assertEqual(fits(amounts, rooms), self.may_fit(amounts, rooms))

    def test_amounts_that_fit_in_total_but_not_together_do_not_fit(self):
        rooms = range(16, 24)
        self.assertFalse(self.may_fit([11, 12, 13, 14, 15, 16, 11, 12, 13, 14], rooms))
        self.assertTrue(self.may_fit([11, 12, 13, 14, 15, 16, 11, 12, 13, 11], rooms))

    def test_equal_amounts_are_counted_instead_of_tried(self):
        self.assertTrue(self.may_fit([1] * 1500, [1500]))
        self.assertTrue(self.may_fit([3] * 500, [8] * 250))
        self.assertFalse(self.may_fit([3] * 501, [8] * 250))

    def test_a_packing_that_takes_too_long_is_left_to_the_search(self):
        amounts = [3 * number + 1 for number in range(1, 40)]
        self.assertTrue(self.may_fit(amounts, [sum(amounts) // 10 + 1] * 10))


class MayDiffer(unittest.TestCase):
    @properties.SETTINGS
    @hypothesis.given(CHOICES)
    def test_may_differ_is_exact(self, choices):
        distinct = any(
            len(set(choice)) == len(choices) for choice in itertools.product(*choices)
        )
        self.assertEqual(distinct, packing.may_differ(choices))

    def test_slots_give_up_providers_to_each_other_along_a_chain(self):
        self.assertTrue(packing.may_differ([(1, 2), (2, 3), (3, 4), (1,)]))
        self.assertFalse(packing.may_differ([(1, 2), (2, 3), (3, 1), (1,)]))

    def test_more_slots_than_stack_frames_cause_no_error(self):
        choices = [(number, number + 1) for number in range(2000)]
        self.assertTrue(packing.may_differ([*choices, (0,)]))
        self.assertFalse(packing.may_differ([*choices, (0,), (2000,)]))
