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

    def __init__(self, revision):
        # "The database is at revision 0003: run ..."
        state = (
            f"is at revision {revision}" if revision else "has not been set up for placement-server"
        )
        super().__init__(
            f"The database {state}: run 'placement-manage db sync', or set sync_on_startup in "
            "[placement_database]."
        )


@contextlib.contextmanager
def translated():
    """Context manager. Raises: CannotMigrate, with a reason, if the tables cannot be changed."""
    try:
        with denials.translated():
            yield
    except (adoption.CannotAdopt, denials.PrivilegeMissing) as error:
        raise CannotMigrate(error) from error
