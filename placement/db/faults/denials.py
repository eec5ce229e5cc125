"""What an account may not do in the database, and how to allow it."""

import contextlib

import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement.db.faults import codes
from placement.db.faults.drivers import error_behind, sqlstate
from placement.db.faults.outages import Reason


class PrivilegeMissing(Exception):
    """An account lacks a privilege; the message says which one, and what to do."""


@contextlib.contextmanager
def translated():
    """Context manager. Raises: PrivilegeMissing, in place of a database error that means this."""
    try:
        yield
    except (db_exc.DBError, sa.exc.DBAPIError) as error:
        if (words := in_words(error_behind(error))) is None:
            raise
        raise PrivilegeMissing(words) from error


def in_words(error):
    """Return what a driver's error says about a missing privilege, and what to do.

    Return None if `error` is about something else, or is None.
    """
    if sqlstate(error) == codes.DENIED_ON_POSTGRESQL:
        # The database says either what is missing, or that the account has to be the owner.
        said = str(error).partition("\n")[0]
        remedy = (
            "Let this service use the account that owns the tables, or let an administrator grant "
            "what is missing."
        )
    elif set(codes.DENIED_ON_MYSQL).intersection(getattr(error, "args", ())):
        # The arguments are a number and a message, which names the account: that of this service,
        # or the definer of a trigger.
        said = error.args[1]
        remedy = (
            "An administrator can grant the privilege; with GRANT ALL on the database, an account "
            "has all that are needed."
        )
    else:
        return None
    return f"{Reason.DENIED.value.removesuffix('.')}: {said}. {remedy}"
