"""The rules of amounts: if one fails, what is proposed instead of an amount does not fit either."""

import unittest

from placement.candidates import rules
from tests.trees import World


class LargestThatFits(unittest.TestCase):
    def largest(self, inventory, most):
        [provider] = World(f"h {{VCPU {inventory}}}").forest().providers.values()
        [room] = provider.rooms.values()
        return rules.largest_that_fits(room, most)

    def test_it_is_what_is_free_in_whole_steps(self):
        self.assertEqual(3, self.largest("4 used 1", most=9))
        self.assertEqual(2, self.largest("4 used 1 step_size 2", most=9))
        self.assertEqual(2, self.largest("4", most=2))
        self.assertEqual(1, self.largest("4 used 3", most=9))

    def test_it_is_nothing_if_nothing_is_free_or_less_than_the_smallest_amount(self):
        for inventory in ("4 used 4", "4 used 5", "4 used 1 min_unit 4", "4 used 3 step_size 2"):
            self.assertEqual(0, self.largest(inventory, most=9), inventory)
