"""Errors while triggers are created."""

import sqlite3

import sqlalchemy as sa
import testtools

from placement.db.derived_sums import triggers


class Errors(testtools.TestCase):
    def test_an_error_that_is_not_about_rights_is_raised_as_it_is(self):
        """If it fails, an administrator is asked to grant rights that are already granted."""
        with (
            sa.create_engine("sqlite://").connect() as conn,
            self.assertRaisesRegex(sqlite3.OperationalError, "no such table"),
        ):
            triggers.install(conn)
