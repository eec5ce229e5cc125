"""What a claim changes in the use of inventories, compared with what its consumers have."""

import testtools

from placement.db.allocations import AllocationRow
from placement.db.capacity import Change
from placement.objects.allocation import changes_between

HOST, OTHER = 1, 2
VCPU, MEMORY_MB = 0, 1


class ChangesBetween(testtools.TestCase):
    def assert_changes(self, held, wanted, *changes):
        """Compare Changes; `held` and `wanted` are (consumer, provider, class, amount)."""
        held, wanted = ([AllocationRow(*each) for each in rows] for rows in (held, wanted))
        self.assertEqual([Change(*each) for each in changes], changes_between(held, wanted))

    def test_nothing_changes_nothing(self):
        self.assert_changes([], [])

    def test_what_is_new_is_taken(self):
        self.assert_changes([], [("k", HOST, VCPU, 4)], (HOST, VCPU, 4, 4, 4, 4))

    def test_what_is_wanted_no_more_is_given_back_whatever_the_units(self):
        self.assert_changes([("k", HOST, VCPU, 4)], [], (HOST, VCPU, -4, 0, 0, 0))

    def test_of_what_stays_only_the_difference_is_taken(self):
        held = [("k", HOST, VCPU, 4)]
        self.assert_changes(held, [("k", HOST, VCPU, 6)], (HOST, VCPU, 2, 6, 6, 6))
        self.assert_changes(held, [("k", HOST, VCPU, 3)], (HOST, VCPU, -1, 3, 3, 3))

    def test_what_stays_as_it_is_has_to_fit_the_units_again(self):
        held = [("k", HOST, VCPU, 4)]
        self.assert_changes(held, held, (HOST, VCPU, 0, 4, 4, 4))

    def test_a_move_gives_back_and_takes(self):
        self.assert_changes(
            [("k", HOST, VCPU, 4)],
            [("k", OTHER, VCPU, 4)],
            (HOST, VCPU, -4, 0, 0, 0),
            (OTHER, VCPU, 4, 4, 4, 4),
        )

    def test_what_one_consumer_leaves_to_another_is_no_difference(self):
        self.assert_changes(
            [("k1", HOST, VCPU, 4)], [("k2", HOST, VCPU, 4)], (HOST, VCPU, 0, 4, 4, 4)
        )

    def test_the_amounts_of_several_consumers_are_one_change(self):
        # 4, 6 and 10 fit a step of 1 or 2, and no other.
        self.assert_changes(
            [("k1", HOST, VCPU, 5), ("k2", HOST, VCPU, 1)],
            [("k1", HOST, VCPU, 6), ("k2", HOST, VCPU, 4), ("k3", HOST, VCPU, 10)],
            (HOST, VCPU, 14, 4, 10, 2),
        )

    def test_inventories_are_in_one_order_whatever_that_of_the_request(self):
        # Writers that lock their rows in one order do not wait for each other in a circle.
        self.assert_changes(
            [("k", OTHER, MEMORY_MB, 1)],
            [("k", OTHER, VCPU, 1), ("k", HOST, MEMORY_MB, 1), ("k", HOST, VCPU, 1)],
            (HOST, VCPU, 1, 1, 1, 1),
            (HOST, MEMORY_MB, 1, 1, 1, 1),
            (OTHER, VCPU, 1, 1, 1, 1),
            (OTHER, MEMORY_MB, -1, 0, 0, 0),
        )
