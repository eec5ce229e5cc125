"""What a claim changes in the use of inventories, compared with what its consumers have."""

import testtools

from placement.db.allocations import AllocationRow
from placement.db.taking_capacity import Change
from placement.objects.claims.writing import changes_between

HOST, OTHER = 1, 2
VCPU, MEMORY_MB = 0, 1


class ChangesBetween(testtools.TestCase):
    def assert_changes(self, held, wanted, *changes):
        """Compare Changes; `held` and `wanted` are (consumer, provider, class, amount)."""
        held, wanted = ([AllocationRow(*each) for each in rows] for rows in (held, wanted))
        self.assertEqual([Change(*each) for each in changes], changes_between(held, wanted))

    def test_nothing_held_before_and_after_is_not_a_change(self):
        self.assert_changes([], [])

    def test_new_amounts_are_taken(self):
        self.assert_changes([], [("k", HOST, VCPU, 4)], (HOST, VCPU, 4, 4, 4, 4))

    def test_removed_amounts_are_given_back_whatever_the_units(self):
        self.assert_changes([("k", HOST, VCPU, 4)], [], (HOST, VCPU, -4, 0, 0, 0))

    def test_only_the_difference_of_a_changed_amount_is_taken(self):
        held = [("k", HOST, VCPU, 4)]
        self.assert_changes(held, [("k", HOST, VCPU, 6)], (HOST, VCPU, 2, 6, 6, 6))
        self.assert_changes(held, [("k", HOST, VCPU, 3)], (HOST, VCPU, -1, 3, 3, 3))

    def test_an_unchanged_amount_has_to_fit_the_units_again(self):
        held = [("k", HOST, VCPU, 4)]
        self.assert_changes(held, held, (HOST, VCPU, 0, 4, 4, 4))

    def test_a_move_gives_back_on_one_host_and_takes_on_the_other(self):
        self.assert_changes(
            [("k", HOST, VCPU, 4)],
            [("k", OTHER, VCPU, 4)],
            (HOST, VCPU, -4, 0, 0, 0),
            (OTHER, VCPU, 4, 4, 4, 4),
        )

    def test_an_amount_moved_between_consumers_changes_no_sum(self):
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

    def test_changes_are_ordered_by_inventory_whatever_the_order_of_the_request(self):
        # Writers that lock their rows in one order do not wait for each other in a circle.
        self.assert_changes(
            [("k", OTHER, MEMORY_MB, 1)],
            [("k", OTHER, VCPU, 1), ("k", HOST, MEMORY_MB, 1), ("k", HOST, VCPU, 1)],
            (HOST, VCPU, 1, 1, 1, 1),
            (HOST, MEMORY_MB, 1, 1, 1, 1),
            (OTHER, VCPU, 1, 1, 1, 1),
            (OTHER, MEMORY_MB, -1, 0, 0, 0),
        )
