"""Reading all trees in batches, from a database that cuts the texts into which it packs rows."""

import unittest

from placement.db.faults import outages
from placement.db.search import every_tree
from placement.db.sql import packed_rows


class CutTexts(unittest.TestCase):
    def test_a_single_tree_that_is_too_long_is_an_outage(self):
        """If it fails, a request for such a tree tries smaller and smaller batches forever."""
        database = Cutting()
        with self.assertRaises(outages.Outage) as raised:
            next(every_tree.batches(database, None, 4))
        self.assertIs(outages.Reason.CUTS, raised.exception.reason)
        # Batches of four trees, two, and one.
        self.assertEqual(3, database.statements)


class Cutting:
    """A connection to a database that cuts the text of every row."""

    def __init__(self):
        self.statements = 0

    def execute(self, query, **options):
        self.statements += 1
        return self

    def one(self):
        return (packed_rows.packed([(1, 1, 0)])[:-1],)
