"""The errors that drivers report when a database cannot serve, and what they mean."""

import enum
import errno
import re

from oslo_db import exception as db_exc
from oslo_db.sqlalchemy import exc_filters

from placement.db.faults import codes
from placement.db.faults.drivers import error_behind, sqlstate

# The name of the logger to which oslo.db writes errors before it raises them.
LOGGER_OF_ERRORS = exc_filters.__name__


class Reason(enum.Enum):
    """Why a database cannot serve, in a sentence that clients may see."""

    UNREACHABLE = "The database cannot be reached."
    BUSY = "All connections to the database are in use."
    SLOW = "The database did not answer in time."
    LOCKED = "The database is locked by another process."
    READ_ONLY = "The database is read-only."
    FULL = "The database has no space left."
    DAMAGED = "The database is damaged, or its file is not a database."
    CHANGED = "The tables of the database are being changed."
    NO_TABLE = "A table or a column is missing from the database."
    CUTS = "The database truncates long texts."
    MISREAD = "The database has read only part of a trigger."
    DENIED = "An account lacks a privilege in the database."
    SESSION = "A proxy has changed the settings of a session of the database."


class Outage(db_exc.DBConnectionError):
    """The database cannot serve now. `reason` is a Reason, and `cause` an exception or a string."""

    def __init__(self, reason, cause):
        super().__init__(cause)
        self.reason = reason


class Lost(Outage):
    """A connection that had just worked was lost; the transaction on it stored nothing."""

    def __init__(self, cause):
        super().__init__(Reason.UNREACHABLE, cause)


class TablesChanged(Outage):
    """A table changed after a transaction began or a statement was prepared: nothing was stored."""

    def __init__(self, cause):
        super().__init__(Reason.CHANGED, cause)


class CutText(Outage):
    """The database has returned only part of a string."""

    def __init__(self, cause):
        super().__init__(Reason.CUTS, cause)


class SessionChanged(Outage):
    """The session was not as connecting.py leaves it; the transaction stored nothing."""

    def __init__(self):
        super().__init__(
            Reason.SESSION, "the transaction runs in another session, or in one that was reset"
        )


# MySQL and MariaDB, by the number of the error.
_MYSQL = {
    # A file could not be written, such as the binary log.
    3: Reason.FULL,
    1026: Reason.FULL,
    1021: Reason.FULL,
    1114: Reason.FULL,
    1054: Reason.NO_TABLE,
    codes.NO_SUCH_TABLE: Reason.NO_TABLE,
    **dict.fromkeys(codes.DENIED_ON_MYSQL, Reason.DENIED),
    # A cluster node cannot commit: it was cut off from the others, and has just noticed.
    1180: Reason.UNREACHABLE,
    # A demoted server reports one of the next two.
    1290: Reason.READ_ONLY,
    1836: Reason.READ_ONLY,
    # An administrator or a program has ended the statement.
    1317: Reason.SLOW,
    # The table has changed since the snapshot of the transaction, or since its trigger was read.
    1412: Reason.CHANGED,
    1615: Reason.CHANGED,
    # The statement took too long: the error of MariaDB, and then that of MySQL.
    1969: Reason.SLOW,
    3024: Reason.SLOW,
}
# PostgreSQL, by SQLSTATE.
_POSTGRESQL = {
    "25006": Reason.READ_ONLY,
    codes.DENIED_ON_POSTGRESQL: Reason.DENIED,
    "42703": Reason.NO_TABLE,
    "42P01": Reason.NO_TABLE,
    "53100": Reason.FULL,
    "57014": Reason.SLOW,
    "XX001": Reason.DAMAGED,
    "XX002": Reason.DAMAGED,
}
# SQLite, by the primary result code. A comment gives the name of the code, without SQLITE_, if it
# differs from that of the Reason.
_SQLITE = {
    5: Reason.LOCKED,  # BUSY
    6: Reason.LOCKED,
    8: Reason.READ_ONLY,
    10: Reason.DAMAGED,  # IOERR
    11: Reason.DAMAGED,  # CORRUPT
    13: Reason.FULL,
    14: Reason.UNREACHABLE,  # CANTOPEN
    17: Reason.CHANGED,  # SCHEMA
    26: Reason.DAMAGED,  # NOTADB
}
# The first pattern means that there was no reply. It matches messages of reply_limits.py and
# PyMySQL; those of PyMySQL differ with TLS, and may also mean that it could not connect. The other
# patterns mean that there was no connection. They match messages of libpq and psycopg 3, and of the
# client libraries of MariaDB and MySQL, which mysqlclient uses.
_TIMED_OUT = re.compile(
    r"\((The \w+ operation )?timed out\)|timeout expired"
    rf"|\({errno.ETIMEDOUT}\)|system error: {errno.ETIMEDOUT}\b"
)
# The function in which PostgreSQL reports that a statement, prepared by psycopg 3, no longer fits
# the table. This identifies the error, because its code has other meanings, too, and its message
# may be in any language.
_PLAN_IS_OLD = "RevalidateCachedQuery"
# SQLite has no code for a missing table or column.
_MISSING_IN_SQLITE = re.compile("no such (table|column)|has no column named")


def reason_of(error):
    """Return the Reason of a DBConnectionError."""
    return error.reason if isinstance(error, Outage) else Reason.UNREACHABLE


def find_reason(error, dialect_name):
    """Return the Reason behind a SQLAlchemy or oslo.db exception; None if it is not an outage."""
    if isinstance(error, Outage):
        return error.reason
    driver = error_behind(error)
    if driver is None:
        return None
    if _TIMED_OUT.search(str(driver)):
        return Reason.SLOW
    if dialect_name == "mysql":
        return _MYSQL.get(driver.args[0]) if driver.args else None
    if dialect_name == "postgresql":
        # PostgreSQL has only this general code for a cached plan that a changed table made invalid.
        if sqlstate(driver) == "0A000" and driver.diag.source_function == _PLAN_IS_OLD:
            return Reason.CHANGED
        return _POSTGRESQL.get(sqlstate(driver))
    if _MISSING_IN_SQLITE.search(str(driver)):
        return Reason.NO_TABLE
    # An extended code has the primary one in its lowest byte.
    return _SQLITE.get(getattr(driver, "sqlite_errorcode", 0) & 0xFF)
