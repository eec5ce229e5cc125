"""Which errors mean that MariaDB has read only part of a trigger."""

import sqlalchemy as sa
import testtools
from oslo_db import exception as db_exc

from placement.db.derived_sums import misread_triggers

IN_TRIGGER = "Trigger 'placement_inventories_insert' has an error in its body: 'You have an error'"


class Misread(testtools.TestCase):
    """If a test fails, writes fail until tables are closed by hand, or we close them needlessly."""

    def has_caused(self, *arguments):
        by_sqlalchemy = sa.exc.ProgrammingError("INSERT", {}, Exception(*arguments))
        by_oslo = db_exc.DBError(by_sqlalchemy)
        found = misread_triggers.has_caused(by_oslo)
        self.assertEqual(found, misread_triggers.has_caused(by_sqlalchemy))
        return found

    def test_a_syntax_error_in_a_trigger_means_that_it_was_misread(self):
        self.assertTrue(self.has_caused(1064, IN_TRIGGER))

    def test_no_other_error_means_that_a_trigger_was_misread(self):
        self.assertFalse(self.has_caused(1064, "You have an error in your SQL syntax"))
        self.assertFalse(self.has_caused(1054, IN_TRIGGER))
        self.assertFalse(self.has_caused())
        self.assertFalse(misread_triggers.has_caused(KeyError(1064, IN_TRIGGER)))
