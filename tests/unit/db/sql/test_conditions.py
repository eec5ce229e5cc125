"""The conditions of db/sql/conditions.py, as text."""

import unittest

from sqlalchemy.dialects import sqlite

from placement.db import tables
from placement.db.sql import conditions

PROVIDER_ID = tables.resource_providers.c.id


def as_text(condition):
    return str(
        condition.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
    )


class AreNear(unittest.TestCase):
    """If a test fails, answers stay right, but two distant ids cost as much as a whole range."""

    def test_ids_that_are_close_together_are_a_range(self):
        condition = conditions.are_near(PROVIDER_ID, [1, 2, 4])
        self.assertEqual("resource_providers.id BETWEEN 1 AND 4", as_text(condition))

    def test_distant_ids_are_a_list(self):
        for ids in ([1, 5], [1, 1000]):
            condition = conditions.are_near(PROVIDER_ID, ids)
            self.assertEqual(f"resource_providers.id IN (1, {ids[1]})", as_text(condition))
