"""Why this release cannot use the tables of a database, or cannot change them.

Source: doc/reference/placement-manage.rst.
"""

import contextlib

from placement.db.faults import denials
from placement.db.schema import adoption


class CannotMigrate(Exception):
    """The tables of a database cannot be brought to this release."""


class NotMigrated(Exception):
    """The tables of a database are missing, or older than this release."""

    def __init__(self, database, revision, newest):
        # "The database placement is at revision 0003, and this release needs 0006: run ..."
        state = (
            f"is at revision {revision}, and this release needs {newest}"
            if revision
            else "has not been set up for placement-server"
        )
        # A database in memory has no name.
        name = database.engine.url.database or "in memory"
        super().__init__(f"The database {name} {state}: run 'placement-manage db sync'.")


@contextlib.contextmanager
def translated():
    """Context manager. Raises: CannotMigrate, with a reason, if the tables cannot be changed."""
    try:
        with denials.translated():
            yield
    except (adoption.CannotAdopt, denials.PrivilegeMissing) as error:
        raise CannotMigrate(error) from error
