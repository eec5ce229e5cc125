"""The differences that `make peer` allows are documented."""

import pathlib

import testtools

from tests.deployed.beside_peer import known

PAGE = pathlib.Path(__file__).parents[2] / "doc/reference/differences.rst"


class KnownDifferences(testtools.TestCase):
    def test_each_known_difference_is_on_the_page_of_differences(self):
        """If it fails, users meet a difference that we know of but have not documented."""
        words = " ".join(PAGE.read_text().split())
        for difference in known.DIFFERENCES:
            self.assertIn(difference.words, words)
