"""A group's `wish`. If it lacks a field, groups that differ only in that share their options."""

import dataclasses
import unittest

from placement.candidates.query import ResolvedGroup

# A value for each type of field; none is the default of a field.
OF_TYPE = {
    dict[int, int]: {1: 2},
    tuple[frozenset[int], ...]: (frozenset({1}),),
    frozenset[int]: frozenset({1}),
    int | None: 1,
}


class WishTest(unittest.TestCase):
    def test_groups_that_differ_only_in_their_names_share_a_wish(self):
        groups = [ResolvedGroup(suffix, {1: 1}) for suffix in ("_A", "_B")]
        self.assertEqual(groups[0].wish, groups[1].wish)

    def test_groups_that_differ_in_anything_else_have_different_wishes(self):
        group = ResolvedGroup("_A", {1: 1})
        for each in dataclasses.fields(group):
            if each.init and each.name != "suffix":
                with self.subTest(each.name):
                    other = dataclasses.replace(group, **{each.name: OF_TYPE[each.type]})
                    self.assertNotEqual(group.wish, other.wish)
