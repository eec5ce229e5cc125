"""same_subtree as a filter: it drops each option that fits no choice of the others."""

import itertools
import unittest

import hypothesis
from hypothesis import strategies as st

from placement.candidates.solver.subtrees import Member, narrowed
from tests import properties
from tests.trees import ancestors_in

#     1
#   2   3
#  4 5  6
PARENTS = {1: None, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3}
ancestors = ancestors_in(PARENTS)


def is_kept(choice, apart):
    if apart and len(set(choice)) < len(choice):
        return False
    return any(all(top in ancestors(each) for each in choice) for top in choice)


MEMBERS = st.lists(st.sets(st.sampled_from(sorted(PARENTS)), min_size=1), min_size=2, max_size=4)


class Narrowed(unittest.TestCase):
    def options(self, *members, apart=False):
        members = [Member(tuple(options), 1) for options in members]
        return narrowed(members, ancestors, apart)

    def test_options_are_narrowed_to_those_below_a_choice_of_tops(self):
        self.assertEqual([(2,), (4, 5)], self.options([2], [4, 5, 6]))
        self.assertEqual([(2, 3), (4, 6)], self.options([2, 3], [4, 6], apart=True))
        self.assertEqual([(2, 3), (1,)], self.options([2, 3], [1]))

    def test_siblings_are_narrowed_to_one_provider(self):
        self.assertEqual([(4, 5), (4, 5)], self.options([4, 5], [4, 5]))
        self.assertEqual([(), ()], self.options([4, 5], [4, 5], apart=True))

    def test_a_common_ancestor_that_serves_no_group_is_not_a_top(self):
        self.assertEqual([(), ()], self.options([4], [5]))

    def test_slots_with_the_same_options_are_tops_of_each_other(self):
        self.assertEqual([(1, 2, 4)], narrowed([Member((1, 2, 4), 2)], ancestors, True))
        self.assertEqual([()], narrowed([Member((4, 5), 2)], ancestors, True))

    @properties.SETTINGS
    @hypothesis.given(MEMBERS, st.booleans())
    def test_narrowing_keeps_every_option_of_a_valid_choice(self, members, apart):
        kept = [c for c in itertools.product(*members) if is_kept(c, apart)]
        needed = [{choice[index] for choice in kept} for index in range(len(members))]
        for options, least in zip(self.options(*members, apart=apart), needed, strict=True):
            self.assertLessEqual(least, set(options))
            if not apart:
                # Without isolate, the filter leaves exactly these options.
                self.assertEqual(least, set(options))

    @properties.SETTINGS
    @hypothesis.given(st.lists(st.sampled_from(sorted(PARENTS)), min_size=2, max_size=4))
    def test_narrowing_decides_where_each_group_has_one_option(self, choice):
        left = self.options(*([provider_id] for provider_id in choice))
        self.assertEqual(is_kept(choice, apart=False), all(left))
