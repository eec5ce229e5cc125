"""Reading trees from a database that packs their providers in any order."""

import unittest

from placement.db.search import forests
from placement.db.sql import packed_rows


class AnyOrder(unittest.TestCase):
    def test_the_providers_of_a_tree_are_in_the_order_of_their_ids(self):
        """The statement asks for no order, and a database need not keep one."""
        found = forests.providers_of(PackedRows([(5, 3), (3, None), (4, 3)]), [3])
        self.assertEqual([(3, None), (4, 3), (5, 3)], [(each.id, each.parent_id) for each in found])


class PackedRows:
    """A connection to a database with one tree, which packs (id, parent_id) in this order."""

    def __init__(self, ids):
        self._ids = ids

    def execute(self, query, **options):
        mark = packed_rows.NESTED
        rows = (
            mark.column.join([str(each), f"uuid-{each}", str(parent or ""), "", "", ""]) + mark.row
            for each, parent in self._ids
        )
        return [(3, f"{len(self._ids)}{mark.count}{''.join(rows)}")]
