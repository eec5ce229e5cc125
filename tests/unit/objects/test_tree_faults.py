"""Trees that are recorded wrongly, judged by the parents of providers."""

import testtools

from placement.db.trees import TreeMember
from placement.objects import tree_faults


def members(*rows):
    return [TreeMember(*row) for row in rows]


def unplaced(*rows):
    """Return TreeMembers of (id, parent_id) that record no root, so each root found is reported."""
    return members(*((*row, None) for row in rows))


class FaultsOfTrees(testtools.TestCase):
    """If a test fails, an audit reports a sound tree as broken, or repairs a tree wrongly."""

    def test_parents_lead_to_the_root(self):
        faults = tree_faults.find(unplaced((3, 2), (2, 1), (1, None), (4, None)))
        self.assertEqual(({3: 1, 2: 1, 1: 1, 4: 4}, [], []), faults)

    def test_a_root_is_wrong_only_if_it_differs_from_that_of_the_parent(self):
        seen = members((1, None, 1), (2, 1, 2), (3, 2, 1), (4, None, None), (5, None, 1))
        self.assertEqual(({2: 1, 4: 4, 5: 5}, [], []), tree_faults.find(seen))

    def test_a_provider_below_a_missing_parent_has_no_root(self):
        faults = tree_faults.find(unplaced((2, 9), (3, 2), (4, 9)))
        self.assertEqual(({}, [2, 4], []), faults)

    def test_a_cycle_has_no_root_and_excludes_the_providers_below_it(self):
        faults = tree_faults.find(unplaced((5, 4), (4, 3), (3, 2), (2, 4), (6, 6)))
        self.assertEqual([2, 3, 4, 6], sorted(faults.cycles))
        self.assertEqual(({}, []), (faults.wrong_roots, faults.parent_missing))

    def test_a_tree_may_be_deeper_than_the_stack(self):
        depth = 5000
        seen = unplaced((0, None), *((each, each - 1) for each in range(1, depth)))
        faults = tree_faults.find(seen[::-1])
        self.assertEqual(dict.fromkeys(range(depth), 0), faults.wrong_roots)

    def test_the_ancestors_of_a_provider_are_all_those_above(self):
        self.assertEqual([2, 1], tree_faults.ancestors(3, {3: 2, 2: 1, 1: None}))
        self.assertEqual([], tree_faults.ancestors(1, {1: None}))
