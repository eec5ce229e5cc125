"""Giving up on a server that does not reply, where the driver alone does not.

A connection that is new, or in the pool, has as long for a reply as it may take to connect; once
it is handed out, as long as a statement may take. PyMySQL has one limit, which is changed for
this. psycopg2 has none: a thread of each process closes connections whose reply is overdue.
"""

import contextlib
import functools
import os
import socket
import threading
import time

import sqlalchemy as sa

# How often, in seconds, the thread looks for what is overdue.
_RESOLUTION = 0.25


def limit(engine, timeouts):
    """Make the connections that an engine opens from now on wait no longer than `timeouts`."""
    driver = engine.dialect.driver
    if driver == "psycopg2":
        classes = _overseen_classes(engine.dialect.loaded_dbapi)
        sa.event.listen(engine, "do_connect", functools.partial(_add_options, classes))
    if driver in _SETTERS:
        for event, seconds in (
            ("connect", timeouts.connect),
            ("checkin", timeouts.connect),
            ("checkout", timeouts.reply),
        ):
            sa.event.listen(engine, event, functools.partial(_limit, _SETTERS[driver], seconds))


def _add_options(more, _dialect, _record, _arguments, options):
    options.update(more)


def _limit(set_seconds, seconds, dbapi_connection, *_others):
    # A connection that was lost is checked in as None.
    if dbapi_connection is not None:
        set_seconds(dbapi_connection, seconds)


def _limit_pymysql(connection, seconds):
    # There is no public way once the connection is open.
    connection._read_timeout = connection._write_timeout = seconds


def _limit_psycopg2(connection, seconds):
    connection.seconds = seconds


_SETTERS = {"pymysql": _limit_pymysql, "psycopg2": _limit_psycopg2}


class _Overseer:
    """Closes connections whose reply is overdue."""

    def __init__(self):
        self._lock = threading.Lock()
        self._deadlines = {}
        self._thread = None

    @contextlib.contextmanager
    def overseeing(self, connection):
        """Context manager to wait for a reply in. Raises: TimeoutError, if it came too late."""
        descriptor = connection.fileno()
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="overdue")
                self._thread.start()
            self._deadlines[descriptor] = time.monotonic() + connection.seconds
        try:
            yield
        finally:
            with self._lock:
                is_in_time = self._deadlines.pop(descriptor, None) is not None
            if not is_in_time:
                raise TimeoutError

    def _run(self):
        while True:
            time.sleep(_RESOLUTION)
            now = time.monotonic()
            # Under the lock, as the descriptor might become that of another connection.
            with self._lock:
                overdue = [each for each, moment in self._deadlines.items() if moment < now]
                for descriptor in overdue:
                    del self._deadlines[descriptor]
                    # The driver may have closed it at this very moment.
                    with (
                        contextlib.suppress(OSError),
                        socket.socket(fileno=os.dup(descriptor)) as connection,
                    ):
                        connection.shutdown(socket.SHUT_RDWR)


_overseer = _Overseer()
# Threads do not survive a fork, and the lock might be held for ever.
os.register_at_fork(after_in_child=_overseer.__init__)


def _overseen_classes(psycopg2):
    """Return the classes of connections and cursors that are overseen, as driver options."""

    def in_time(method):
        @functools.wraps(method)
        def run(self, *arguments):
            connection = getattr(self, "connection", self)
            if connection.closed or connection.seconds is None:
                return method(self, *arguments)
            try:
                with _overseer.overseeing(connection):
                    return method(self, *arguments)
            except TimeoutError as error:
                raise psycopg2.OperationalError(
                    f"timed out: closed the connection after {connection.seconds} seconds without "
                    "a reply of the server"
                ) from error

        return run

    class Connection(psycopg2.extensions.connection):
        seconds = None
        commit = in_time(psycopg2.extensions.connection.commit)
        rollback = in_time(psycopg2.extensions.connection.rollback)

    class Cursor(psycopg2.extensions.cursor):
        execute = in_time(psycopg2.extensions.cursor.execute)
        executemany = in_time(psycopg2.extensions.cursor.executemany)

    return {"connection_factory": Connection, "cursor_factory": Cursor}
