"""Which other providers move when a provider moves."""

import testtools

from placement.db.trees import TreeMember
from placement.objects import resource_provider

#   1
#   |-- 2
#   |   |-- 4
#   |   `-- 5
#   |       `-- 6
#   `-- 3
PARENTS = {1: None, 2: 1, 3: 1, 4: 2, 5: 2, 6: 5}


class SubtreeTest(testtools.TestCase):
    def subtree(self, provider_id):
        # Children before their parents: a database promises no order.
        ids = sorted(PARENTS, reverse=True)
        members = [TreeMember(each, PARENTS[each], root_id=1) for each in ids]
        return resource_provider.subtree(members, provider_id)

    def test_the_subtree_of_a_leaf_is_the_leaf(self):
        self.assertEqual({3}, self.subtree(3))

    def test_a_subtree_has_all_providers_below_at_any_depth(self):
        self.assertEqual({2, 4, 5, 6}, self.subtree(2))

    def test_the_subtree_of_a_root_is_the_whole_tree(self):
        self.assertEqual(set(PARENTS), self.subtree(1))

    def test_a_loop_of_parents_does_not_make_a_subtree_endless(self):
        # Loops can no longer be written, but an existing one must not make a request hang.
        members = [TreeMember(1, 2, 2), TreeMember(2, 1, 2)]
        self.assertEqual({1, 2}, resource_provider.subtree(members, 1))
