"""A count and the word for what is counted, in the singular or the plural."""

import unittest

from placement.candidates.why.plurals import counted


class Counted(unittest.TestCase):
    def test_only_one_is_singular(self):
        self.assertEqual(
            ["0 hosts", "1 host", "2 hosts"], [counted(number, "host") for number in range(3)]
        )

    def test_large_numbers_have_separators(self):
        self.assertEqual("1,200 hosts", counted(1200, "host"))

    def test_a_noun_may_have_its_own_plural(self):
        self.assertEqual("1 index", counted(1, "index", "indexes"))
        self.assertEqual("2 indexes", counted(2, "index", "indexes"))
