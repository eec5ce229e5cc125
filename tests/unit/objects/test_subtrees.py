"""What is below a provider."""

import unittest

from placement.db.resource_providers import Place
from placement.objects.resource_provider import subtree


class Subtrees(unittest.TestCase):
    def test_all_that_is_below_belongs_to_it(self):
        places = [Place(1, None, 1), Place(2, 1, 1), Place(3, 2, 1), Place(4, 1, 1)]
        self.assertEqual({2, 3}, subtree(places, 2))

    def test_a_loop_has_an_end(self):
        """Writers that did not know of each other may have left one; a request must not hang."""
        self.assertEqual({1, 2}, subtree([Place(1, 2, 2), Place(2, 1, 2)], 1))
