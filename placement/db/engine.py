"""Engines, transactions, and retries after conflicts with other writers.

oslo.db makes the engines and translates the drivers' exceptions. How the three kinds of
database differ at the start of a transaction is in `_BEGIN`.
"""

import contextlib
import functools
import logging
import re

import sqlalchemy as sa
from oslo_db import api as oslo_db_api
from oslo_db import exception as db_exc
from oslo_db.sqlalchemy import engines
from sqlalchemy import exc as sa_exc

LOG = logging.getLogger(__name__)

# Seconds that a SQLite connection waits for another writer to finish.
SQLITE_BUSY_SECONDS = 15

# How often a transaction outside of requests is tried again when other writers are in the way.
_RETRIES = 10

# The error of MySQL for comparing a column of utf8mb4 with text of a connection in utf8mb3, which
# is what oslo.db uses unless the URL names a charset.
_ILLEGAL_MIX_OF_COLLATIONS = 1267

# The errors of MySQL and PostgreSQL for a table, or a column, that does not exist, and how those of
# SQLite begin or go on.
_MISSING_CODES = {1054, 1146, "42703", "42P01"}
_MISSING_IN_SQLITE = re.compile("no such column|has no column named")

# What is executed first in a transaction, by kind of database and of transaction. Readers see
# one snapshot for all their statements. Writers see, in each statement, all that is
# committed by then: a row that they waited for is read as the other writer left it.
_BEGIN = {
    ("sqlite", "read"): "BEGIN",
    ("sqlite", "write"): "BEGIN IMMEDIATE",
    ("mysql", "read"): "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    ("postgresql", "read"): "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
}

# What is executed once on a new connection.
_CONNECT = {
    "sqlite": [f"PRAGMA busy_timeout = {SQLITE_BUSY_SECONDS * 1000}"],
    "mysql": [
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        # By default MySQL cuts the text of an aggregated set after 1,024 bytes.
        "SET SESSION group_concat_max_len = 16777216",
        # We count what we write: see triggers.py.
        "SET @placement_native = 1",
    ],
    "postgresql": ["SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED"],
}


class Database:
    """One database: an engine, the two kinds of transactions on it, and perhaps a replica of it."""

    def __init__(self, engine, replica=None):
        self.engine = engine
        self._replica = replica
        self._engines = {
            kind: engine.execution_options(placement_transaction=kind) for kind in ("read", "write")
        }

    @contextlib.contextmanager
    def reader(self):
        """A connection that sees one state of the database, whatever others commit.

        Raises: DBConnectionError when the database cannot be reached, DBDataError when it
            cannot hold or compare a value.
        """
        with self.connection("read") as conn, _translated():
            yield conn

    @contextlib.contextmanager
    def reports(self):
        """A reader of data that may be moments old: on the replica, if there is one that answers.

        Not for the requests of a client that may have written before.
        Raises: as reader().
        """
        with self._connection_for_reports() as conn, _translated():
            yield conn

    def _connection_for_reports(self):
        if self._replica is not None:
            try:
                return self._replica.connection("read")
            except db_exc.DBConnectionError as error:
                LOG.warning("The replica cannot be reached, the primary reports: %s", error)
        return self.connection("read")

    @contextlib.contextmanager
    def writer(self):
        """A connection whose changes are committed at the end, or all undone by an exception.

        Raises: DBConnectionError when the database cannot be reached, DBDataError when it
            cannot hold a value.
        """
        with self.connection("write") as conn, _translated(), conn.begin():
            yield conn

    def in_transaction(self, work):
        """Return what `work` returns of a writer's connection.

        It is called again, in a new transaction, when other writers win, be it that they add a
        row of the same name first: it has to look at what there is by then.
        Raises: as writer(); DBDuplicateEntry, or what a conflict is, after too many attempts.
        """

        def attempt():
            try:
                with self.writer() as conn:
                    return work(conn)
            except db_exc.DBDuplicateEntry as error:
                raise db_exc.RetryRequest(error) from error

        return retry_on_conflict(attempt, _RETRIES)()

    def connection(self, kind):
        """An open connection for "read" or "write" transactions, to begin and end by hand.

        Raises: DBConnectionError when the database cannot be reached.
        """
        try:
            conn = self._engines[kind].connect()
        except (
            sa_exc.OperationalError,
            sa_exc.TimeoutError,
            db_exc.DBNonExistentDatabase,
        ) as error:
            # oslo.db does not know every driver's words for "no answer", and takes an exhausted
            # pool for something else.
            raise db_exc.DBConnectionError(error) from error
        if conn.dialect.name == "sqlite":
            # Keeps oslo.db from executing its own BEGIN, which takes no lock before the first
            # write and then cannot wait for another writer.
            conn.info["in_transaction"] = True
        return conn


@contextlib.contextmanager
def _translated():
    """Raise oslo.db's exceptions for errors of the drivers that it does not know.

    A value that a driver refuses is a DBDataError: a NUL for psycopg2, a character of four
    bytes for MySQL's utf8, be it stored or compared. A SQLite file that stays locked is a
    DBConnectionError. A table or column that is not there any more, as after `db release`, is a
    DBNonExistentTable.
    """
    try:
        yield
    except sa_exc.OperationalError as error:
        if "database is locked" in str(error.orig):
            # SQLite has waited long enough for the holder of its one lock.
            raise db_exc.DBConnectionError(error) from error
        if _ILLEGAL_MIX_OF_COLLATIONS in error.orig.args:
            raise db_exc.DBDataError(error) from error
        _raise_if_missing(error)
        raise
    except sa_exc.ProgrammingError as error:
        _raise_if_missing(error)
        raise
    except db_exc.DBInvalidUnicodeParameter as error:
        raise db_exc.DBDataError(error) from error
    except db_exc.DBError as error:
        if isinstance(error.inner_exception, (ValueError, sa_exc.DataError)):
            raise db_exc.DBDataError(error.inner_exception) from error
        _raise_if_missing(error.inner_exception)
        raise


def _raise_if_missing(error):
    """Raises: DBNonExistentTable for an error of SQLAlchemy about a missing table or column."""
    cause = getattr(error, "orig", None)
    if (
        getattr(cause, "pgcode", None) in _MISSING_CODES
        or _MISSING_CODES.intersection(getattr(cause, "args", ()))
        or _MISSING_IN_SQLITE.search(str(cause))
    ):
        raise db_exc.DBNonExistentTable(None, error) from error


def connect(url, replica_url=None, **options):
    """Return the Database at `url`; `options` are those of oslo.db's create_engine.

    The replica is not tested: it need not be there before it is used.
    Raises: ValueError if it is not a URL.
    """
    replica = connect(replica_url, **options | {"max_retries": 0}) if replica_url else None
    if "@" in (sa.make_url(url).host or ""):
        # What follows the @ of a password would be looked for, and quoted, as a host.
        raise ValueError("an @ in the user name or the password is written %40")
    engine = engines.create_engine(url, thread_checkin=False, **options)
    sa.event.listen(engine, "connect", functools.partial(_prepare, engine.dialect.name))
    sa.event.listen(engine, "begin", _begin)
    # oslo.db has tried a connection and put it into the pool, without our preparation.
    engine.dispose()
    return Database(engine, replica)


def _prepare(dialect_name, dbapi_connection, _record):
    cursor = dbapi_connection.cursor()
    for statement in _CONNECT[dialect_name]:
        cursor.execute(statement)
    cursor.close()
    # PostgreSQL forgets what was set in a transaction that is rolled back.
    dbapi_connection.commit()


def _begin(conn):
    kind = conn.get_execution_options().get("placement_transaction")
    statement = _BEGIN.get((conn.dialect.name, kind))
    if statement is not None:
        conn.exec_driver_sql(statement)


def is_conflict(error):
    """Did the database give up this transaction in favour of another?"""
    if isinstance(error, db_exc.DBDeadlock):
        return True
    # PostgreSQL's serialization failure, which oslo.db does not know.
    return (
        isinstance(error, sa_exc.OperationalError)
        and getattr(error.orig, "pgcode", None) == "40001"
    )


def retry_on_conflict(function, retries):
    """Return `function`, called again up to `retries` times while other writers win.

    Each call must be a transaction of its own. Waits with jitter, from 10 ms up to 1 s.
    Raises: what the last call raised (a RetryRequest is unpacked to its cause).
    """
    return functools.wraps(function)(
        oslo_db_api.wrap_db_retry(
            max_retries=retries,
            retry_interval=0.01,
            max_retry_interval=1,
            inc_retry_interval=True,
            jitter=True,
            exception_checker=is_conflict,
        )(function)
    )
