"""The lock of a database, by which processes that change its tables take turns."""

import contextlib

import sqlalchemy as sa
from sqlalchemy import exc as sa_exc

from placement.db import engine
from placement.db.schema import errors, galera, revisions

# Seconds to wait for another process that changes the same tables.
SECONDS = 600
_TAKES_TOO_LONG = (
    f"Another process has been migrating this database for more than {SECONDS} seconds: try again "
    "when it has ended."
)
# Any number will do, as long as all processes use the same one.
_POSTGRESQL_LOCK = 0x706C6163


@contextlib.contextmanager
def held(database):
    """Context manager: hold the lock that lets one process at a time change a database's tables.

    The lock is held on a separate connection, because the pool of `database` may have only one.
    Raises: CannotMigrate, after SECONDS.
    """
    # SQLite needs no lock: a transaction that writes keeps all others out.
    if database.kind == "sqlite":
        yield
        return
    kind = engine.TransactionKind.WRITE
    with database.patient() as apart, apart.connection(kind) as conn, _held(conn):
        yield


@contextlib.contextmanager
def _held(conn):
    """Context manager: hold the lock on a connection.

    The lock is held until the transactions inside have ended, so that the next holder sees what
    they committed.
    Raises: CannotMigrate, after SECONDS.
    """
    if conn.dialect.name == "postgresql":
        conn.execute(sa.text(f"SET LOCAL lock_timeout = '{SECONDS}s'"))
        take = sa.func.pg_advisory_lock(_POSTGRESQL_LOCK)
        release = sa.func.pg_advisory_unlock(_POSTGRESQL_LOCK)
    else:
        # This name is as long as MySQL allows. All databases of a server share the names of locks.
        name = sa.func.sha2(sa.func.concat(sa.func.database(), ".", revisions.VERSION_TABLE), 256)
        take = sa.func.get_lock(name, SECONDS)
        release = sa.func.release_lock(name)
    if not _is_taken(conn, take):
        raise errors.CannotMigrate(_TAKES_TOO_LONG)
    conn.commit()
    try:
        with errors.translated(), galera.lock(conn, SECONDS):
            yield
    except galera.Locked as error:
        raise errors.CannotMigrate(_TAKES_TOO_LONG) from error
    finally:
        conn.execute(sa.select(release))
        conn.commit()


def _is_taken(conn, take):
    """Wait for the lock; return whether it was taken before the time was up."""
    try:
        # MySQL's function returns 0 once the time is up.
        return conn.scalar(sa.select(take)) != 0
    except sa_exc.OperationalError as error:
        if not engine.is_conflict(error):
            raise
        return False
