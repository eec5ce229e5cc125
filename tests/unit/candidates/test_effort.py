"""What counts as effort, how much is too much, and how often the caller may abort."""

import unittest

from placement.candidates.effort import (
    CHECKED_EVERY,
    COST_OF_A_CHECK,
    COST_OF_A_LOOK,
    MANY_PROVIDERS,
    Effort,
    SpentError,
)


class Bound(unittest.TestCase):
    def test_a_search_may_spend_exactly_its_bound(self):
        effort = Effort(most=COST_OF_A_LOOK + 2)
        effort.add_state()
        effort.add_look()
        effort.add_candidate()
        self.assertRaises(SpentError, effort.add_state)

    def test_a_look_costs_as_much_as_many_states(self):
        self.assertRaises(SpentError, Effort(most=COST_OF_A_LOOK - 1).add_look)

    def test_each_candidate_that_is_found_costs_effort(self):
        """There may be millions of candidates, each found at once."""
        self.assertRaises(SpentError, Effort(most=0).add_candidate)

    def test_each_check_costs_a_part_of_a_state(self):
        effort = Effort(most=1)
        effort.add_checks(int(1 / COST_OF_A_CHECK))
        self.assertRaises(SpentError, effort.add_checks, 1)

    def test_reasons_objects_and_statements_cost_effort(self):
        for add in ("add_reasons", "add_objects", "add_statements"):
            with self.subTest(add):
                self.assertRaises(SpentError, getattr(Effort(most=10), add), 100)

    def test_a_query_of_a_larger_cloud_may_spend_more_effort(self):
        effort = Effort(most=10)
        effort.allow_for(MANY_PROVIDERS)
        self.assertEqual(10, effort.most)
        effort.allow_for(MANY_PROVIDERS)
        self.assertEqual(20, effort.most)

    def test_without_a_bound_a_larger_cloud_sets_none(self):
        effort = Effort()
        effort.allow_for(2 * MANY_PROVIDERS)
        self.assertIsNone(effort.most)

    def test_without_a_bound_effort_is_only_counted(self):
        effort = Effort()
        for _ in range(3):
            effort.add_look()
        effort.add_state()
        self.assertEqual((1, 3, 0), (effort.states, effort.looks, effort.candidates))


class CheckAbort(unittest.TestCase):
    def setUp(self):
        self.calls = 0
        self.effort = Effort(check_abort=self.check_abort)

    def check_abort(self):
        self.calls += 1

    def spend(self, states):
        for _ in range(states):
            self.effort.add_state()

    def test_check_abort_is_called_after_a_fixed_amount_of_effort(self):
        self.spend(CHECKED_EVERY - 1)
        self.assertEqual(0, self.calls)
        self.spend(1)
        self.assertEqual(1, self.calls)
        self.spend(CHECKED_EVERY - 1)
        self.assertEqual(1, self.calls)
        self.spend(1)
        self.assertEqual(2, self.calls)

    def test_check_abort_can_be_called_at_any_time(self):
        self.effort.check_abort_now()
        self.assertEqual(1, self.calls)
        Effort().check_abort_now()

    def test_an_exception_of_check_abort_ends_the_search(self):
        def hang_up():
            raise ConnectionError

        effort = Effort(check_abort=hang_up)
        for _ in range(CHECKED_EVERY - 1):
            effort.add_state()
        self.assertRaises(ConnectionError, effort.add_state)
