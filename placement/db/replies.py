"""Leaving a server that does not reply, with drivers that only half know how.

While a connection is new, or in the pool, it is to reply as soon as one is to be made; when it is
handed out, there is the time of a statement. PyMySQL has a limit that can be moved. psycopg2 has
none: a thread of each process ends connections whose reply is overdue.
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
    """Let the connections that an engine makes from now on wait no longer than `timeouts`."""
    driver = engine.dialect.driver
    if driver == "psycopg2":
        classes = _overseen_classes(engine.dialect.loaded_dbapi)
        sa.event.listen(engine, "do_connect", functools.partial(_add_options, classes))
    if driver in _SET:
        for event, seconds in (
            ("connect", timeouts.connect),
            ("checkin", timeouts.connect),
            ("checkout", timeouts.reply),
        ):
            sa.event.listen(engine, event, functools.partial(_limit, _SET[driver], seconds))


def _add_options(more, _dialect, _record, _arguments, options):
    options.update(more)


def _limit(set_seconds, seconds, dbapi_connection, *_others):
    # A connection that was lost is checked in as None.
    if dbapi_connection is not None:
        set_seconds(dbapi_connection, seconds)


def _set_of_pymysql(connection, seconds):
    # It has no name for it once there is a connection.
    connection._read_timeout = connection._write_timeout = seconds


def _set_of_psycopg2(connection, seconds):
    connection.seconds = seconds


_SET = {"pymysql": _set_of_pymysql, "psycopg2": _set_of_psycopg2}


class _Overseer:
    """Ends connections whose reply is overdue."""

    def __init__(self):
        self._lock = threading.Lock()
        self._deadlines = {}
        self._thread = None

    @contextlib.contextmanager
    def overseeing(self, connection):
        """Wait for a reply inside. Raises: TimeoutError, if it did not come in time."""
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
            # The lock keeps a descriptor from becoming that of another connection meanwhile.
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
    """Return the classes of connections and cursors whose replies have to come in time."""

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
