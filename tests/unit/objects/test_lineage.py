"""Trees, by the parents of providers."""

import testtools

from placement.db.resource_providers import Place
from placement.objects import lineage


def places(*rows):
    return [Place(*row) for row in rows]


class Lineages(testtools.TestCase):
    """If one fails, an audit calls a tree broken that is not, or repairs one wrongly."""

    def test_parents_lead_to_the_root(self):
        traced = lineage.trace(places((3, 2, 1), (2, 1, 1), (1, None, 1), (4, None, 4)))
        self.assertEqual(({3: 1, 2: 1, 1: 1, 4: 4}, [], []), traced)

    def test_a_provider_with_another_root_than_its_parents_is_misplaced(self):
        seen = places((1, None, 1), (2, 1, 2), (3, 2, 1), (4, None, None), (5, None, 1))
        misplaced = lineage.misplaced(seen, lineage.trace(seen))
        self.assertEqual({2: 1, 4: 4, 5: 5}, misplaced)

    def test_below_a_parent_that_does_not_exist_there_is_no_root(self):
        seen = places((2, 9, 2), (3, 2, 3), (4, 9, 9))
        traced = lineage.trace(seen)
        self.assertEqual(({2: None, 3: None, 4: None}, [2, 4], []), traced)
        self.assertEqual({}, lineage.misplaced(seen, traced))

    def test_a_cycle_has_no_root_and_what_is_below_it_is_not_part_of_it(self):
        seen = places((5, 4, 1), (4, 3, 1), (3, 2, 1), (2, 4, 1), (6, 6, 6))
        traced = lineage.trace(seen)
        self.assertEqual([2, 3, 4, 6], sorted(traced.cycles))
        self.assertEqual(dict.fromkeys((2, 3, 4, 5, 6)), traced.roots)
        self.assertEqual([], traced.parent_missing)
        self.assertEqual({}, lineage.misplaced(seen, traced))

    def test_a_tree_may_be_deeper_than_the_stack(self):
        depth = 5000
        seen = places((0, None, 0), *((each, each - 1, 0) for each in range(1, depth)))
        traced = lineage.trace(reversed(seen))
        self.assertEqual({0}, set(traced.roots.values()))

    def test_ancestors_are_all_providers_above(self):
        self.assertEqual([2, 1], lineage.ancestors(3, {3: 2, 2: 1, 1: None}))
        self.assertEqual([], lineage.ancestors(1, {1: None}))
