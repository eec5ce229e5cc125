"""Changing tables that other programs use, without holding up those programs for long.

A statement that changes a table waits for the transactions that have used the table. Any other
transaction that needs the table then waits behind this statement. On MySQL, this can be a deadlock
that the server does not detect: a transaction that the statement waits for may itself wait for a
row that a transaction behind the statement has locked. So the statement gives up soon, lets the
others pass, and is sent again.
"""

import contextlib

from oslo_db import exception as db_exc

from placement.db import engine
from placement.db.faults import codes, drivers

# How long the statement waits, and so how long other programs may wait behind it.
WAIT_SECONDS = 1


class InUse(Exception):
    """Other programs have used the tables for too long."""


def retry_on_lock_timeout(change, seconds):
    """Return what `change` returns; call it again while others use the tables.

    Each call has to be a transaction of its own. All of that transaction must be inside
    giving_up_soon().
    Raises: InUse, after this many seconds.
    """

    def attempt():
        try:
            return change()
        except Exception as error:
            # This may be the error of a driver: triggers are created without SQLAlchemy.
            if _is_lock_timeout(drivers.error_behind(error) or error):
                # If no call succeeds, this InUse is raised in the end.
                raise db_exc.RetryRequest(InUse()) from error
            raise

    # Each attempt waits for WAIT_SECONDS, one second, so there is no time for more retries.
    return engine.retry_on_conflict(attempt, retries=seconds, seconds=seconds)()


def _is_lock_timeout(error):
    return (
        codes.LOCK_WAIT_TIMEOUT in error.args
        or drivers.sqlstate(error) == codes.LOCK_NOT_AVAILABLE
    )


@contextlib.contextmanager
def giving_up_soon(conn):
    """Context manager: inside it, statements that change tables soon give up waiting.

    The transaction of these statements must already have begun on `conn`.
    """
    if conn.dialect.name == "postgresql":
        conn.exec_driver_sql(f"SET LOCAL lock_timeout = '{WAIT_SECONDS}s'")
    elif conn.dialect.name == "mysql":
        conn.exec_driver_sql(f"SET SESSION lock_wait_timeout = {WAIT_SECONDS}")
    try:
        yield
    finally:
        # Later statements in this session, such as a recount, may wait: they are not sent again.
        if conn.dialect.name == "mysql" and not conn.invalidated:
            conn.exec_driver_sql("SET SESSION lock_wait_timeout = DEFAULT")
