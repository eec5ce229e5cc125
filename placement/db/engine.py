"""Engines, transactions, and retries after conflicts with other writers.

oslo.db makes the engines and translates the drivers' exceptions. How the three kinds of
database differ at the start of a transaction is in `_BEGIN`.
"""

import contextlib
import functools
import itertools
import logging
import os
import time

import sqlalchemy as sa
from oslo_db import api as oslo_db_api
from oslo_db import exception as db_exc
from oslo_db.sqlalchemy import engines
from sqlalchemy import exc as sa_exc

from placement import cost
from placement.db import (
    characters,
    drivers,
    misread,
    occupancy,
    outages,
    pool,
    presumption,
    replies,
)
from placement.db.breaker import Breaker
from placement.db.drivers import sqlstate
from placement.db.statements import count_statements
from placement.db.timeouts import session_statements, with_driver_options

LOG = logging.getLogger(__name__)

# Seconds that a SQLite connection waits for another writer to finish, unless Timeouts say so.
SQLITE_BUSY_SECONDS = 15

# How often a transaction outside of requests is tried again when other writers are in the way.
_RETRIES = 10

# After how many seconds nothing is tried again, unless the caller says so.
RETRY_SECONDS = 30

# Codes of PostgreSQL.
_SERIALIZATION_FAILURE = "40001"
_LOCK_NOT_AVAILABLE = "55P03"

# The error of MySQL for comparing a column of utf8mb4 with text of a connection in utf8mb3, which
# is what oslo.db uses unless the URL names a charset.
_ILLEGAL_MIX_OF_COLLATIONS = 1267

# Outages in which nothing was stored, and that may be over by now.
_REPEATABLE = (outages.Lost, outages.TablesChanged, misread.Misread)

# The errors of MySQL and PostgreSQL for a missing privilege, on a table or on a database.
_DENIED = {1142, 1044, "42501"}

# What is executed first in a transaction, by kind of database and of transaction. Readers see
# one snapshot for all their statements. Writers see, in each statement, all that is
# committed by then: a row that they waited for is read as the other writer left it.
_BEGIN = {
    ("sqlite", "read"): "BEGIN",
    ("sqlite", "write"): "BEGIN IMMEDIATE",
    ("mysql", "read"): "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    ("postgresql", "read"): "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
}

# What the other connections of a pool will meet, too: after a failover they lead to the demoted
# server, and what they have prepared is of the tables that there were.
_OF_ALL_CONNECTIONS = {outages.Reason.READ_ONLY, outages.Reason.CHANGED}

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
    "postgresql": [
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED",
        # To compile a statement takes longer than to execute any of ours.
        "SET SESSION jit = off",
    ],
}


class Database:
    """One database: an engine, the two kinds of transactions on it, and perhaps a replica of it.

    Attributes: engine, and memory, a presumption.Memory of what was read from it.
    """

    def __init__(self, engine, replica, timeouts, sibling):
        self.engine = engine
        self._replica = replica
        self._timeouts = timeouts
        self.memory = presumption.Memory()
        self._breaker = Breaker()
        self._waiting = contextlib.nullcontext
        self._exhaustion = occupancy.Exhaustion(engine)
        self._sibling = sibling
        self._is_in_memory = isinstance(engine.pool, sa.StaticPool)
        self._engines = {
            kind: engine.execution_options(placement_transaction=kind)
            for kind in ("read", "single", "write")
        }

    def count_connections(self, in_use, waiting):
        """From now on, keep two gauges of prometheus-client.

        in_use: of connections; waiting: of threads that wait for one
        """
        occupancy.count(self.engine, in_use)
        self._waiting = functools.partial(occupancy.wait, self.engine, waiting)

    @property
    def is_exhausted(self):
        """Did a thread wait for a connection in vain, and has none been put back since?"""
        return self._exhaustion.lasts

    @contextlib.contextmanager
    def reader(self):
        """A connection that sees one state of the database, whatever others commit.

        Raises: DBConnectionError when the database cannot be reached, DBDataError when it
            cannot hold or compare a value.
        """
        with self._borrowed("read") as conn, self._translated(conn), _losable(conn):
            yield conn

    @contextlib.contextmanager
    def single_statement(self):
        """A connection to read with one statement, which sees one state of the database by itself.

        It costs fewer messages than a reader's.
        Raises: as reader().
        """
        with self._borrowed("single") as conn, self._translated(conn), _losable(conn):
            yield conn

    @contextlib.contextmanager
    def reports(self):
        """A reader of data that may be moments old: on the replica, if there is one that answers.

        Not for the requests of a client that may have written before.
        Raises: as reader().
        """
        with (
            pool.put_back(self._connection_for_reports()) as conn,
            self._translated(conn),
            _losable(conn),
        ):
            yield conn

    def _connection_for_reports(self):
        if self._replica is not None:
            try:
                return self._connection_to_replica()
            except db_exc.DBConnectionError as error:
                LOG.warning("The replica cannot be reached, the primary reports: %s", error)
        return self.connection("read")

    def _connection_to_replica(self):
        conn = self._replica.connection("read")
        try:
            # It shows now if it was lost since it was last used.
            conn.begin()
        except BaseException:
            conn.close()
            raise
        return conn

    @contextlib.contextmanager
    def writer(self):
        """A connection whose changes are committed at the end, or all undone by an exception.

        Raises: DBConnectionError when the database cannot be reached, or does not let this end
            in time; DBDataError when it cannot hold a value.
        """
        try:
            with self._writer() as conn:
                yield conn
        except misread.Misread:
            # The transaction, which used the tables, has ended.
            with self._borrowed("write") as conn, self._translated(conn):
                misread.close_tables(conn)
            raise

    @contextlib.contextmanager
    def _writer(self):
        began = time.monotonic()
        with self._borrowed("write") as conn, self._translated(conn):
            with conn.begin():
                with _losable(conn):
                    yield conn
                seconds = time.monotonic() - began
                if self._timeouts and seconds > self._timeouts.statement:
                    # Who asked for it has given up, and may have tried something else.
                    raise outages.Outage(
                        outages.Reason.SLOW,
                        f"A transaction was undone after {seconds:.1f} seconds.",
                    )
                committing = time.perf_counter()
            cost.current().sql += time.perf_counter() - committing
            pool.skip_rollback(conn)

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

    @property
    def kind(self):
        """mysql, which MariaDB is, too, postgresql or sqlite."""
        return self.engine.dialect.name

    @contextlib.contextmanager
    def patient(self):
        """A Database at the same place, with no limit to the time that its statements may take.

        For what changes tables, or waits for another process that does.
        """
        database = self.sibling(timeouts=None)
        try:
            yield database
        finally:
            database.disconnect()

    def sibling(self, **options):
        """Return a Database at the same place, with other options and connections of its own.

        A database in memory, which has one connection, is its own sibling.
        """
        return self if self._is_in_memory else self._sibling(**options)

    def has_characters_of_four_bytes(self):
        """Can names and owners have characters that take four bytes in UTF-8?

        Not to be called inside a transaction. Cost: as in characters.py.
        Raises: DBConnectionError when the database cannot be reached.
        """
        with self.single_statement() as conn:
            return characters.has_those_of_four_bytes(conn)

    def disconnect(self):
        """Close the connections that are not in use, unless the database is in one of them."""
        if not self._is_in_memory:
            self.engine.dispose()

    def _borrowed(self, kind):
        return pool.put_back(self.connection(kind))

    def connection(self, kind):
        """An open connection for transactions of a kind, to begin and end by hand.

        The kinds are "read", "single" and "write".

        Raises: DBConnectionError when the database cannot be reached; Lost, if the one of the pool
            is lost, and another one may work.
        """
        try:
            with cost.stage("connection"), self._waiting(), self._breaker.attempt():
                conn = self._connect(kind)
        except sa_exc.TimeoutError as error:
            # Others use all connections of the pool.
            self._exhaustion.begin()
            raise outages.Outage(outages.Reason.BUSY, error) from error
        if conn.dialect.name == "sqlite":
            # Keeps oslo.db from executing its own BEGIN, which takes no lock before the first
            # write and then cannot wait for another writer.
            conn.info["in_transaction"] = True
        return conn

    def _connect(self, kind):
        try:
            conn = self._engines[kind].connect()
        except (sa_exc.DBAPIError, db_exc.DBError) as error:
            # oslo.db does not know every driver's words for "no answer".
            reason = outages.named_by(error, self.engine.dialect.name)
            raise outages.Outage(reason or outages.Reason.UNREACHABLE, error) from error
        if kind == "single":
            pool.execute_singly(conn)
        return conn

    @contextlib.contextmanager
    def _translated(self, conn):
        """Raise oslo.db's exceptions for errors of the drivers that it does not know.

        An Outage where the database cannot serve. A value that a driver refuses is a
        DBDataError: a NUL for psycopg2, a character of four bytes for MySQL's utf8, be it stored
        or compared.
        """
        try:
            yield
        except outages.Outage:
            raise
        except db_exc.DBInvalidUnicodeParameter as error:
            raise db_exc.DBDataError(error) from error
        except (sa_exc.DBAPIError, db_exc.DBError) as error:
            if reason := outages.named_by(error, conn.dialect.name):
                if reason in _OF_ALL_CONNECTIONS:
                    conn.invalidate(error)
                    conn.engine.dispose()
                if reason is outages.Reason.CHANGED:
                    raise outages.TablesChanged(error) from error
                raise outages.Outage(reason, error) from error
            if misread.is_behind(error):
                raise misread.Misread(drivers.error_behind(error)) from error
            driver = getattr(error, "inner_exception", error)
            if isinstance(driver, (ValueError, sa_exc.DataError)):
                raise db_exc.DBDataError(driver) from error
            if isinstance(error, sa_exc.OperationalError) and (
                _ILLEGAL_MIX_OF_COLLATIONS in error.orig.args
            ):
                raise db_exc.DBDataError(error) from error
            raise


def connect(url, replica_url=None, timeouts=None, max_retries=0, retry_interval=10, **options):
    """Return the Database at `url`; `options` are those of oslo.db's create_engine.

    Of these, the connection_parameters replace what the URL says of the same names.

    Without `timeouts` every wait may be long. With them, a SQLite file has to exist.
    A server is tried up to `max_retries` times, or for ever if that is -1, with an interval in
    seconds. A replica is not: it need not be there before it is used.
    Raises: ValueError if it is not a URL; drivers.Unsupported; drivers.BadParameters;
        DBConnectionError.
    """
    replica = connect(replica_url, timeouts=timeouts, **options) if replica_url else None
    sibling = functools.partial(connect, url, **options | {"timeouts": timeouts})
    database = Database(_engine(url, timeouts, max_retries, options), replica, timeouts, sibling)
    if database.engine.dialect.name != "sqlite":
        _wait_for(database, max_retries, retry_interval)
    return database


def _wait_for(database, max_retries, retry_interval):
    """Return when there is a connection. (oslo.db waits for MySQL only.)"""
    attempts = itertools.count(1) if max_retries == -1 else range(1, max_retries + 1)
    for attempt in attempts:
        try:
            database.connection("read").close()
            return
        except db_exc.DBConnectionError as error:
            line = str(error).partition("\n")[0]
            LOG.warning("No connection to the database, attempt %d: %s", attempt, line)
            if attempt == max_retries:
                raise
            time.sleep(retry_interval)


def _engine(url, timeouts, max_retries, options):
    url = sa.make_url(url)
    if "@" in (url.host or ""):
        # What follows the @ of a password would be looked for, and quoted, as a host.
        raise ValueError("an @ in the user name or the password is written %40")
    drivers.check(url)
    # oslo.db would add to what is there by then, and most drivers take one value for each name.
    options = dict(options)
    url = drivers.with_parameters(url, options.pop("connection_parameters", ""))
    if timeouts:
        url = with_driver_options(url, timeouts)
    url = pool.with_plugin(url)
    if url.get_backend_name() == "sqlite":
        # Its files have no pool, and oslo.db lets this one option through. The first connection,
        # which oslo.db makes, makes a file.
        options = options | {"pool_timeout": None, "max_retries": max_retries}
    else:
        options = options | {"max_retries": 0}
    try:
        engine = engines.create_engine(url, thread_checkin=False, **options)
    except ValueError as error:
        raise drivers.BadParameters(error) from error
    statements = list(_CONNECT[engine.dialect.name])
    if timeouts:
        statements += session_statements(engine.dialect.name, timeouts)
        replies.limit(engine, timeouts)
        if engine.dialect.name == "sqlite":
            sa.event.listen(engine, "do_connect", _find_file)
    sa.event.listen(engine, "connect", functools.partial(_prepare, statements))
    sa.event.listen(engine, "begin", _begin)
    drivers.read_moments_faster(engine)
    count_statements(engine, uncounted=frozenset(_BEGIN.values()))
    return engine


def _find_file(dialect, _record, arguments, _options):
    """Keep SQLite from making a new file in the place of one that is gone."""
    [path] = arguments
    is_file = not path.startswith((":memory:", "file:"))
    if is_file and not os.path.exists(path):
        raise dialect.loaded_dbapi.OperationalError(f"there is no file {path}")


def _prepare(statements, dbapi_connection, _record):
    cursor = dbapi_connection.cursor()
    for statement in statements:
        cursor.execute(statement)
    cursor.close()
    # PostgreSQL forgets what was set in a transaction that is rolled back.
    dbapi_connection.commit()


def _begin(conn):
    kind = conn.get_execution_options().get("placement_transaction")
    statement = _BEGIN.get((conn.dialect.name, kind))
    if statement is not None:
        conn.exec_driver_sql(statement)


@contextlib.contextmanager
def _losable(conn):
    """What is executed before the commit. Raises: Lost, if it is worth another connection."""
    is_trusted = pool.is_trusted(conn)
    try:
        yield
    except (sa_exc.DBAPIError, db_exc.DBError) as error:
        if is_trusted and conn.invalidated and not outages.named_by(error, conn.dialect.name):
            raise outages.Lost(error) from error
        raise


def can_be_repeated(error):
    """Did the database give up a transaction through no fault of its own?

    That is in favour of another one, because the connection was lost that it was sent over, because
    of a trigger that will be read again, or because a table was changed meanwhile.
    """
    return isinstance(error, _REPEATABLE) or is_conflict(error)


def is_conflict(error):
    """Did the database give up this transaction in favour of another?"""
    if isinstance(error, db_exc.DBDeadlock):
        return True
    # What oslo.db does not know of PostgreSQL.
    return isinstance(error, sa_exc.OperationalError) and (
        sqlstate(error.orig) in (_SERIALIZATION_FAILURE, _LOCK_NOT_AVAILABLE)
    )


def is_denied(error):
    """Does the account lack a privilege for what it tried, by an error of SQLAlchemy or oslo.db?"""
    cause = drivers.error_behind(error)
    return sqlstate(cause) in _DENIED or bool(
        _DENIED.intersection(getattr(cause, "args", ()))
    )


def retry_on_conflict(function, retries, seconds=RETRY_SECONDS):
    """Return `function`, called again while other writers win.

    That is up to `retries` times, none of which begins later than `seconds` after the first.
    Each call must be a transaction of its own. Waits with jitter, from 10 ms up to 1 s.
    Raises: what the last call raised (a RetryRequest is unpacked to its cause).
    """

    @functools.wraps(function)
    def run(*arguments, **keywords):
        deadline = time.monotonic() + seconds

        def is_overdue():
            return time.monotonic() >= deadline

        failures = []

        def attempt():
            if failures:
                cost.current().add_retry(failures[-1])
            try:
                return function(*arguments, **keywords)
            except db_exc.RetryRequest as error:
                failures.append(error.inner_exc)
                if is_overdue():
                    raise error.inner_exc from error
                raise
            except Exception as error:
                failures.append(error)
                raise

        return oslo_db_api.wrap_db_retry(
            max_retries=retries,
            retry_interval=0.01,
            max_retry_interval=1,
            inc_retry_interval=True,
            jitter=True,
            exception_checker=lambda error: can_be_repeated(error) and not is_overdue(),
        )(attempt)()

    return run
