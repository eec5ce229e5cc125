"""A database: transactions on pooled connections, and its replica."""

import contextlib
import functools
import logging
import time

import sqlalchemy as sa
from oslo_db import exception as db_exc
from sqlalchemy import exc as sa_exc

from placement import cost
from placement.db.derived_sums import misread_triggers
from placement.db.engine import (
    characters,
    connection_gauges,
    transaction_kinds,
    trusted_connections,
)
from placement.db.engine.breaker import Breaker
from placement.db.engine.process_caches import ProcessCaches
from placement.db.engine.retries import is_conflict, retry_on_conflict
from placement.db.engine.statement_cost import abortable
from placement.db.engine.transaction_kinds import TransactionKind
from placement.db.faults import drivers, outages
from placement.db.feed import recording

LOG = logging.getLogger(__name__)

# How many times a transaction outside of requests is retried after conflicts with other writers.
_RETRIES = 10

# The errors of MariaDB and of MySQL 9 for comparing a utf8mb4 column with text from a connection in
# utf8mb3. oslo.db uses utf8mb3 unless the URL names a charset.
_NOT_IN_CHARACTER_SET = {1267, 3854}

# Outages that the other connections of a pool will run into, too: after a failover, they lead to
# the demoted server; after a migration, their prepared statements are for the old tables.
_OF_ALL_CONNECTIONS = {outages.Reason.READ_ONLY, outages.Reason.CHANGED}

# What SQLAlchemy may raise if the first connection of an engine is lost while SQLAlchemy asks the
# server about itself. SQLAlchemy can neither invalidate that connection nor open it again.
_LOST_AT_FIRST = (NotImplementedError, sa_exc.ResourceClosedError)


class Database:
    """One database: an engine, the transactions on it, and perhaps a replica.

    engine        the SQLAlchemy engine
    caches        ProcessCaches: what this process remembers of the database
    is_in_memory  whether the database ends with its only connection, so that no other process sees
                  it
    """

    def __init__(self, engine, replica, timeouts, sibling):
        """`replica` (a Database) and `timeouts` may be None.

        sibling: (**options) -> another Database at the same URL
        """
        self.engine = engine
        self._replica = replica
        self._timeouts = timeouts
        self.caches = ProcessCaches()
        self._breaker = Breaker()
        # () -> a context manager for a thread that waits for a connection.
        self._waiting = contextlib.nullcontext
        self._exhaustion = connection_gauges.Exhaustion(engine)
        self._sibling = sibling
        # Only a database in memory keeps one connection for ever.
        self.is_in_memory = isinstance(engine.pool, sa.StaticPool)
        self._engines = {
            kind: transaction_kinds.engine_for(engine, kind) for kind in TransactionKind
        }

    def count_connections(self, in_use, waiting):
        """Keep two gauges of prometheus-client up to date from now on.

        in_use: the connections in use; waiting: the threads that wait for one
        """
        connection_gauges.track_in_use(self.engine, in_use)
        self._waiting = functools.partial(connection_gauges.track_waiting, self.engine, waiting)

    @property
    def is_exhausted(self):
        """Whether a thread waited in vain for a connection, and none has been put back since."""
        return self._exhaustion.lasts

    @contextlib.contextmanager
    def reader(self):
        """A connection whose statements all see the same state, whatever others commit.

        Raises: DBConnectionError when the database cannot be reached, DBDataError when it
            cannot hold or compare a value.
        """
        with (
            self._borrowed(TransactionKind.READ) as conn,
            self._translated(conn),
            _recognising_lost(conn),
        ):
            yield conn

    @contextlib.contextmanager
    def single_statement(self):
        """A connection for a single statement, which reads one state of the database.

        This costs fewer messages to the server than reader().
        Raises: DBConnectionError, DBDataError, for the reasons of reader().
        """
        with (
            self._borrowed(TransactionKind.SINGLE) as conn,
            self._translated(conn),
            _recognising_lost(conn),
        ):
            yield conn

    @contextlib.contextmanager
    def reports(self, check_abort=None):
        """A connection like reader()'s, but to the replica, if there is one that answers.

        What it reads may be moments old, so it is not for a client that may have just written.
        `check_abort` is called before each statement; an exception that it raises ends the
        transaction.
        Raises: DBConnectionError, DBDataError, for the reasons of reader().
        """
        with (
            trusted_connections.put_back(self._connection_for_reports()) as conn,
            self._translated(conn),
            _recognising_lost(conn),
            abortable(conn, check_abort) if check_abort else contextlib.nullcontext(),
        ):
            yield conn

    def _connection_for_reports(self):
        """Return a connection to the replica or, if no replica answers, to the primary."""
        if self._replica is not None:
            try:
                return self._connection_to_replica()
            except (sa_exc.DBAPIError, db_exc.DBError) as error:
                # Only the first line is about the error.
                reason = str(error).partition("\n")[0]
                LOG.warning("No replica can be reached; the primary serves reports: %s", reason)
        return self.connection(TransactionKind.READ)

    def _connection_to_replica(self):
        """Return a connection to the replica, with a transaction begun.

        Raises: whatever keeps the replica from serving.
        """
        conn = self._replica.connection(TransactionKind.READ)
        try:
            # This fails if the connection has been lost since its last use.
            conn.begin()
        except BaseException:
            conn.close()
            raise
        return conn

    @contextlib.contextmanager
    def writer(self):
        """A connection whose changes are committed at the end, or all undone by an exception.

        Raises: DBConnectionError when the database cannot be reached, or does not finish the work
            in time; DBDataError when it cannot hold a value.
        """
        try:
            with self._writer() as conn:
                yield conn
        except misread_triggers.Misread:
            # The tables can be closed now, because the transaction that used them has ended.
            with self._borrowed(TransactionKind.WRITE) as conn, self._translated(conn):
                misread_triggers.close_tables(conn)
            raise
        except outages.SessionChanged:
            self._note_shared_sessions()
            raise

    def _note_shared_sessions(self):
        """From now on, let each writing transaction set up its session again."""
        if not self.caches.has_shared_sessions:
            LOG.warning(
                "A proxy shares or resets the sessions of the database. From now on, each"
                " transaction that writes sets up its session, which costs a message."
            )
        self.caches.has_shared_sessions = True

    @contextlib.contextmanager
    def _writer(self):
        """A writer's connection. Raises: Misread or SessionChanged, too, which writer() handles."""
        began = time.monotonic()
        is_shared = self.caches.has_shared_sessions
        kind = TransactionKind.SHARED_WRITE if is_shared else TransactionKind.WRITE
        with self._borrowed(kind) as conn, self._translated(conn):
            with conn.begin():
                # The changes that are recorded for the feed are stored just before the commit.
                recording.begin(conn)
                with _recognising_lost(conn):
                    yield conn
                    recording.store(conn)
                seconds = time.monotonic() - began
                if self._timeouts and seconds > self._timeouts.statement:
                    # The client has given up by now, and may have sent another request.
                    raise outages.Outage(
                        outages.Reason.SLOW,
                        f"A transaction was undone after {seconds:.1f} seconds.",
                    )
                committing = time.perf_counter()
            cost.current().sql += time.perf_counter() - committing
            # The commit has left nothing to roll back.
            trusted_connections.skip_rollback(conn)

    def in_transaction(self, work):
        """Return what `work` returns when called with a writer's connection.

        After a conflict with another writer, which may have added a row of the same name first,
        `work` is called again, in a new transaction. So it must always read again what exists.
        Raises: DBConnectionError; DBDataError; DBDuplicateEntry, or the error of a conflict, after
            too many attempts.
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
        """The kind of database: mysql (MariaDB, too), postgresql or sqlite."""
        return self.engine.dialect.name

    @contextlib.contextmanager
    def patient(self):
        """A Database at the same URL, without a limit on the time of its statements.

        Use it for work that changes tables, or that waits for another process that changes them.
        """
        database = self.sibling(timeouts=None)
        try:
            yield database
        finally:
            database.disconnect()

    def sibling(self, **options):
        """Return a Database at the same URL, with other options and with its own connections.

        For a database in memory, which has only one connection, return the same Database.
        """
        return self if self.is_in_memory else self._sibling(**options)

    def has_characters_of_four_bytes(self):
        """Whether names and owners can contain characters that take four bytes in UTF-8.

        Do not call this inside a transaction. Cost: one query on MySQL, otherwise none.
        Raises: DBConnectionError when the database cannot be reached.
        """
        with self.single_statement() as conn:
            return characters.may_take_four_bytes(conn)

    def disconnect(self):
        """Close the connections that are not in use, including those to the replica.

        A database in memory keeps its only connection.
        """
        if self._replica is not None:
            self._replica.disconnect()
        if not self.is_in_memory:
            self.engine.dispose()

    def _borrowed(self, kind):
        return trusted_connections.put_back(self.connection(kind))

    def connection(self, kind):
        """Return an open connection; the caller begins and ends transactions of this kind on it.

        Raises: DBConnectionError when the database cannot be reached; Lost, if the pooled
            connection is lost and another one may work.
        """
        try:
            # While the database is down, the breaker lets only one thread at a time try.
            with cost.stage("connection"), self._waiting(), self._breaker.attempt():
                conn = self._connect(kind)
        except sa_exc.TimeoutError as error:
            # All connections of the pool are in use by other threads.
            self._exhaustion.begin()
            raise outages.Outage(outages.Reason.BUSY, error) from error
        if conn.dialect.name == "sqlite":
            # With this entry, oslo.db leaves out its own BEGIN. That would take no lock before the
            # first write, at which the transaction can no longer wait for another writer.
            conn.info["in_transaction"] = True
        return conn

    def _connect(self, kind):
        """Return an open connection, set up for transactions of a kind. Raises: Outage, Lost."""
        try:
            conn = self._engines[kind].connect()
        except (sa_exc.DBAPIError, db_exc.DBError) as error:
            # oslo.db does not recognise the timeouts of every driver.
            reason = outages.find_reason(error, self.engine.dialect.name)
            raise outages.Outage(reason or outages.Reason.UNREACHABLE, error) from error
        except _LOST_AT_FIRST as error:
            # SQLAlchemy asks the server about itself over the first connection of an engine.
            cause = "The first connection was lost."
            raise outages.Outage(outages.Reason.UNREACHABLE, cause) from error
        if kind is TransactionKind.SINGLE:
            trusted_connections.execute_singly(conn)
        elif kind is not TransactionKind.READ:
            # The triggers of the feed are only for what others write.
            trusted_connections.mark_as_ours(conn)
        return conn

    @contextlib.contextmanager
    def _translated(self, conn):
        """Raise oslo.db's exceptions for driver errors that oslo.db does not know.

        Raises: an Outage if the database cannot serve (TablesChanged or Misread if the
            same work may succeed at the next attempt); DBDataError if the database refuses a value:
            psycopg2 refuses a NUL, and MySQL's utf8mb3 a character of four bytes.
        """
        try:
            yield
        except outages.Outage:
            raise
        except db_exc.DBInvalidUnicodeParameter as error:
            # oslo.db's message is about something else; the driver's own names the character.
            raise db_exc.DBDataError(error.__cause__ or error) from error
        except (sa_exc.DBAPIError, db_exc.DBError) as error:
            if reason := outages.find_reason(error, conn.dialect.name):
                if reason in _OF_ALL_CONNECTIONS:
                    # The other connections of the pool would fail as this one did.
                    conn.invalidate(error)
                    conn.engine.dispose()
                if reason is outages.Reason.CHANGED:
                    raise outages.TablesChanged(error) from error
                raise outages.Outage(reason, error) from error
            if misread_triggers.has_caused(error):
                raise misread_triggers.Misread(drivers.error_behind(error)) from error
            if (refusal := _refusal_of_value(error)) is not None:
                raise db_exc.DBDataError(refusal) from error
            if _could_not_begin(error):
                raise outages.Outage(outages.Reason.UNREACHABLE, error) from error
            raise


def _refusal_of_value(error):
    """Return the error that says that a value was refused; None if `error` has another cause."""
    driver = getattr(error, "inner_exception", error)
    # psycopg2 raises a ValueError for a NUL.
    if isinstance(driver, (ValueError, sa_exc.DataError)):
        return driver
    is_refused = isinstance(error, sa_exc.OperationalError) and (
        _NOT_IN_CHARACTER_SET.intersection(error.orig.args)
    )
    return error if is_refused else None


def _could_not_begin(error):
    """Whether a transaction could not begin, and then could not be rolled back.

    oslo.db does not see the second error, which has no statement. The error of a failed commit has
    no statement, either; so conflicts, which may make a commit fail, are left out.
    """
    return (
        isinstance(error, sa_exc.DBAPIError)
        and error.statement is None
        and not is_conflict(error)
    )


@contextlib.contextmanager
def _recognising_lost(conn):
    """Context manager for work before the commit. Raises: Lost, if another connection may work.

    That is so if `conn` is lost, and came from the pool without a check that it still worked.
    """
    # Once the connection is lost, is_trusted() would connect again, or fail.
    was_unchecked = trusted_connections.is_trusted(conn)
    try:
        yield
    except (sa_exc.DBAPIError, db_exc.DBError) as error:
        is_outage = outages.find_reason(error, conn.dialect.name)
        if was_unchecked and conn.invalidated and not is_outage:
            raise outages.Lost(error) from error
        raise
