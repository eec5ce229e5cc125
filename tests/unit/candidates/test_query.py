"""The wish of a group. If it lacks a field, groups share what only one of them may have."""

import dataclasses
import unittest

from placement.candidates.query import ResolvedGroup

OTHERS = {
    "amounts": {1: 2},
    "required": (frozenset({1}),),
    "forbidden": frozenset({1}),
    "member_of": (frozenset({1}),),
    "not_member_of": frozenset({1}),
    "root_id": 1,
}


class WishTest(unittest.TestCase):
    def test_groups_that_differ_only_in_their_names_share_a_wish(self):
        groups = [ResolvedGroup(suffix, {1: 1}) for suffix in ("_A", "_B")]
        self.assertEqual(groups[0].wish, groups[1].wish)

    def test_groups_that_differ_in_anything_else_do_not(self):
        group = ResolvedGroup("_A", {1: 1})
        for each in dataclasses.fields(group):
            if each.init and each.name != "suffix":
                with self.subTest(each.name):
                    other = dataclasses.replace(group, **{each.name: OTHERS[each.name]})
                    self.assertNotEqual(group.wish, other.wish)
