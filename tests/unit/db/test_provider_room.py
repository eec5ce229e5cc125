"""Whether an amount fits. Source: doc/explanation/rules.rst, F2."""

import unittest

from placement.db import provider_room
from placement.db.provider_room import Room


def room(capacity, used=0, min_unit=1, max_unit=100, step_size=1):
    return Room(capacity, used, min_unit, max_unit, step_size)


class WhyNot(unittest.TestCase):
    """If a test fails, an amount that cannot be claimed fits, or a wrong reason is given."""

    def assert_reason(self, reason, inventory, amount):
        self.assertEqual(reason, inventory.why_not(amount))
        self.assertEqual(reason is None, inventory.fits(amount))

    def test_an_amount_fits_up_to_what_is_free(self):
        self.assert_reason(None, room(4, used=1), 3)
        self.assert_reason("capacity", room(4, used=1), 4)
        self.assert_reason("capacity", room(4, used=5), 1)

    def test_an_amount_fits_from_min_unit_to_max_unit_in_whole_steps(self):
        for amount in (2, 4, 6):
            self.assert_reason(None, room(9, min_unit=2, max_unit=6, step_size=2), amount)
        self.assert_reason("min_unit", room(9, min_unit=2), 1)
        self.assert_reason("max_unit", room(9, max_unit=6), 7)
        self.assert_reason("step_size", room(9, step_size=2), 3)

    def test_the_one_of_several_reasons_that_lasts_longest_is_given(self):
        self.assert_reason("max_unit", room(4, max_unit=5, step_size=4), 6)
        self.assert_reason("min_unit", room(0, min_unit=4, step_size=2), 3)
        self.assert_reason("step_size", room(0, step_size=2), 3)


class LargestThatFits(unittest.TestCase):
    """If a test fails, the amount that is proposed instead does not fit, either."""

    def test_the_largest_amount_is_the_free_amount_in_whole_steps(self):
        self.assertEqual(3, room(4, used=1).largest_that_fits(9))
        self.assertEqual(2, room(4, used=1, step_size=2).largest_that_fits(9))
        self.assertEqual(2, room(4).largest_that_fits(2))
        self.assertEqual(1, room(4, used=3).largest_that_fits(9))

    def test_the_largest_amount_is_0_if_too_little_is_free_for_any_claim(self):
        for inventory in (
            room(4, used=4), room(4, used=5), room(4, used=1, min_unit=4),
            room(4, used=3, step_size=2),
        ):
            self.assertEqual(0, inventory.largest_that_fits(9), inventory)


class WithHeadroom(unittest.TestCase):
    """If a test fails, a search skips a host that has room."""

    def test_inventories_are_found_by_a_headroom_that_is_large_enough(self):
        inventories = {
            "free": room(9), "used": room(9, used=5), "small units": room(9, max_unit=3),
            "exactly": room(9, used=4, max_unit=5),
        }
        for amount in range(1, 11):
            expected = {key for key, each in inventories.items() if each.headroom >= amount}
            self.assertEqual(expected, provider_room.with_headroom(inventories, amount))
