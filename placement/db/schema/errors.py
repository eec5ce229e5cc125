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
        super().__init__(
            "A database in memory is new in each process: set sync_on_startup in "
            "[placement_database], or name a file in its connection."
            if database.is_in_memory
            else _advice(database.engine.url.database, revision, newest)
        )


def _advice(name, revision, newest):
    """Return what to do about the tables of a database that is named `name`."""
    # "The database placement is at revision 0003, and this release needs 0006: run ..."
    state = (
        f"is at revision {revision}, and this release needs {newest}"
        if revision
        else "has not been set up for placement-server"
    )
    return f"The database {name} {state}: run 'placement-manage db sync'."


@contextlib.contextmanager
def translated():
    """Context manager. Raises: CannotMigrate, with a reason, if the tables cannot be changed."""
    try:
        with denials.translated():
            yield
    except (adoption.CannotAdopt, denials.PrivilegeMissing) as error:
        raise CannotMigrate(error) from error
