"""From rows to a Forest: S1 and S2 of doc/explanation/rules.rst."""

import unittest

from placement.candidates import forests
from tests.trees import World, provider_of


def names(providers):
    return [provider.uuid for provider in providers]


class Building(unittest.TestCase):
    def test_a_forest_groups_providers_by_tree(self):
        root = provider_of(id=1, parent_id=None, root_id=1)
        child = provider_of(id=2, parent_id=1, root_id=1)
        forest = forests.build([root, child], sharing_ids=[], root_ids=[1])
        self.assertEqual((1,), forest.root_ids)
        self.assertEqual({1: root, 2: child}, forest.providers)
        self.assertEqual({1: [root, child]}, forest.trees)
        self.assertEqual({}, forest.sharing)

    WORLD = """
a
  a1 [x]
b [y]
s <SHARE> [x]
  s1 [y]
lonely <SHARE>
"""

    def reached(self, *root_names):
        """Return {root: names of the sharing providers that its tree can use}."""
        forest = World(self.WORLD).forest(*root_names)
        return {
            forest.providers[root_id].uuid: names(providers)
            for root_id, providers in forest.sharing.items()
        }

    def test_a_tree_reaches_a_sharing_provider_through_any_member(self):
        self.assertEqual({"a": ["s"]}, self.reached())

    def test_only_the_roots_of_the_batch_are_anchors(self):
        self.assertEqual({}, self.reached("b"))

    def test_a_forest_has_sharing_providers_of_other_batches(self):
        forest = World(self.WORLD).forest("b")
        self.assertEqual(
            {"s", "lonely"}, {forest.providers[provider].uuid for provider in forest.sharing_ids}
        )
