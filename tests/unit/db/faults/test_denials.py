"""An error for a missing privilege says which one, and what to do on that kind of database."""

import sqlalchemy as sa
import testtools
from oslo_db import exception as db_exc

from placement.db.faults import denials


def of_postgresql(text, code):
    """Return an error like those of PostgreSQL's drivers."""
    error = Exception(text)
    error.sqlstate = code
    return error


class Denied(testtools.TestCase):
    """If it fails, an account with few rights gets a traceback, or a real error is ignored."""

    def raised(self, cause):
        """Return the text of the PrivilegeMissing that is raised for a driver's error."""
        by_sqlalchemy = sa.exc.DBAPIError("SELECT 1", {}, cause)
        texts = {
            str(self.assertRaises(denials.PrivilegeMissing, self.translate, error))
            for error in (by_sqlalchemy, db_exc.DBError(by_sqlalchemy))
        }
        self.assertEqual(1, len(texts))
        return texts.pop()

    def translate(self, error):
        with denials.translated():
            raise error

    def test_mysql_says_which_command_was_denied_and_what_to_grant(self):
        for code, text in (
            (1142, "SELECT command denied to user 'p'@'h' for table 'traits'"),
            (1044, "Access denied for user 'p'@'%' to database 'placement'"),
        ):
            said = self.raised(Exception(code, text))
            self.assertIn(f": {text}. An administrator can grant", said)
            self.assertIn("GRANT ALL", said)
            self.assertNotIn("owns the tables", said)

    def test_postgresql_says_what_was_denied_without_the_statement(self):
        text = "permission denied for table inventories"
        said = self.raised(of_postgresql(f"{text}\nLINE 1: SELECT", "42501"))
        self.assertIn(f": {text}. Let this service use the account that owns the tables", said)
        self.assertNotIn("LINE", said)

    def test_other_errors_stay_as_they_are(self):
        for cause in (
            Exception(1146, "Table does not exist"),
            of_postgresql('relation "x" does not exist', "42P01"),
        ):
            error = sa.exc.DBAPIError("SELECT 1", {}, cause)
            self.assertIs(error, self.assertRaises(sa.exc.DBAPIError, self.translate, error))
        lost = db_exc.DBConnectionError("lost")
        self.assertIs(lost, self.assertRaises(db_exc.DBConnectionError, self.translate, lost))
