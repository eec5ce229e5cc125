"""Giving up on a server that does not reply, where the driver itself has no limit.

While a connection is new or in the pool, a reply may take as long as connecting may; once the
connection is handed out, a reply may take as long as a statement may. PyMySQL has a limit that can
be changed for this. The other drivers have none, so a thread in each process closes their
connections when a reply is overdue.
"""

import contextlib
import functools
import importlib
import os
import socket
import threading
import time

import sqlalchemy as sa

# How often, in seconds, the thread looks for overdue replies.
_RESOLUTION = 0.25
# The number of MySQL's error for a lost connection.
_CONNECTION_LOST = 2013


def limit(engine, timeouts):
    """Make the connections that an engine opens from now on wait no longer than `timeouts`."""
    driver = engine.dialect.driver
    # Drivers without a limit of their own get another function to connect with.
    if driver in _OVERSEEN_CONNECT:
        connect = _OVERSEEN_CONNECT[driver](engine.dialect.loaded_dbapi, timeouts.connect)
        sa.event.listen(engine, "do_connect", functools.partial(_connect, connect))
    if driver == "psycopg2":
        # SQLAlchemy would look for hstore, which no table has, with a cursor that is not overseen.
        # oslo.db does not pass on the option use_native_hstore, which would prevent that.
        engine.dialect._hstore_oids = lambda _connection: None
    if driver in _SETTERS_OF_SECONDS:
        set_seconds = _SETTERS_OF_SECONDS[driver]
        for event, seconds in (
            ("connect", timeouts.connect),
            ("checkin", timeouts.connect),
            ("checkout", timeouts.reply),
        ):
            sa.event.listen(engine, event, functools.partial(_limit, set_seconds, seconds))


def _connect(connect, _dialect, _record, arguments, options):
    return connect(*arguments, **options)


def _limit(set_seconds, seconds, dbapi_connection, *_others):
    # A connection that was lost is checked in as None.
    if dbapi_connection is not None:
        set_seconds(dbapi_connection, seconds)


def _limit_pymysql(connection, seconds):
    # PyMySQL has no public way to change these timeouts once the connection is open.
    connection._read_timeout = connection._write_timeout = seconds


def _limit_overseen(connection, seconds):
    connection.seconds = seconds


class _Overseer:
    """Closes connections whose reply is overdue."""

    def __init__(self):
        self._lock = threading.Lock()
        # {file descriptor of a connection that waits for a reply: when the reply is overdue}
        self._deadlines = {}
        # The thread that runs _run(); None until a connection first waits for a reply.
        self._thread = None

    @contextlib.contextmanager
    def overseeing(self, connection):
        """Context manager: wait for a reply inside it. Raises: TimeoutError, if it comes too late.

        connection: a connection of the driver, whose `seconds` are how long a reply may take
        """
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
        """Shut down each connection whose deadline has passed; never return."""
        while True:
            time.sleep(_RESOLUTION)
            now = time.monotonic()
            # The lock is held throughout, because another connection might get the same descriptor.
            with self._lock:
                overdue = [
                    descriptor
                    for descriptor, deadline in self._deadlines.items()
                    if deadline < now
                ]
                for descriptor in overdue:
                    # A missing deadline tells overseeing() that the reply came too late.
                    del self._deadlines[descriptor]
                    # The socket has a copy of the descriptor, because the driver closes its own.
                    # The driver may already have closed it.
                    with (
                        contextlib.suppress(OSError),
                        socket.socket(fileno=os.dup(descriptor)) as connection,
                    ):
                        connection.shutdown(socket.SHUT_RDWR)


_overseer = _Overseer()
# A forked process has a copy of the lock, which may be held, but not the thread to release it.
os.register_at_fork(after_in_child=_overseer.__init__)


def _in_time(method, overdue):
    """Return an overseen version of a method of a connection or a cursor.

    overdue: (message) -> the exception to raise if the reply comes too late
    """

    @functools.wraps(method)
    def run(self, *arguments, **keywords):
        # `self` is a connection, or a cursor, which has one.
        connection = getattr(self, "connection", self)
        # A closed connection waits for nothing.
        if connection.closed:
            return method(self, *arguments, **keywords)
        try:
            with _overseer.overseeing(connection):
                return method(self, *arguments, **keywords)
        except TimeoutError as error:
            # outages.py looks for "(timed out)" in the message.
            raise overdue(
                f"Lost the connection: no reply from the server in {connection.seconds} seconds "
                "(timed out)"
            ) from error

    return run


# Each function below returns a function that connects. A reply may take as long as the `seconds` of
# the connection, which are `at_first` until they are set. The overseen methods are those that
# SQLAlchemy uses, directly or through a cursor of the driver, and that wait for the server.


def _overseen_psycopg2(psycopg2, at_first):
    """Return psycopg2.connect, for connections that wait no longer than their `seconds`."""
    overdue = psycopg2.OperationalError

    class Connection(psycopg2.extensions.connection):
        seconds = at_first
        commit = _in_time(psycopg2.extensions.connection.commit, overdue)
        rollback = _in_time(psycopg2.extensions.connection.rollback, overdue)

    class Cursor(psycopg2.extensions.cursor):
        execute = _in_time(psycopg2.extensions.cursor.execute, overdue)
        executemany = _in_time(psycopg2.extensions.cursor.executemany, overdue)

    return functools.partial(
        psycopg2.connect, connection_factory=Connection, cursor_factory=Cursor
    )


def _overseen_psycopg(psycopg, at_first):
    """Return psycopg.connect, for connections that wait no longer than their `seconds`."""

    class Connection(psycopg.Connection):
        seconds = at_first
        # Everything that is sent to the server or received from it passes through here.
        wait = _in_time(psycopg.Connection.wait, psycopg.OperationalError)

    return Connection.connect


def _overseen_mysqlclient(mysqldb, at_first):
    """Return MySQLdb.connect, for connections that wait no longer than their `seconds`."""
    # mysqlclient imports this module only when it first connects.
    base = importlib.import_module(f"{mysqldb.__name__}.connections").Connection
    # SQLAlchemy and oslo.db recognise a lost connection by this error.
    overdue = functools.partial(mysqldb.OperationalError, _CONNECTION_LOST)

    class Connection(base):
        seconds = at_first
        query = _in_time(base.query, overdue)
        store_result = _in_time(base.store_result, overdue)
        commit = _in_time(base.commit, overdue)
        rollback = _in_time(base.rollback, overdue)
        ping = _in_time(base.ping, overdue)
        # The constructor itself calls these two.
        set_character_set = _in_time(base.set_character_set, overdue)
        autocommit = _in_time(base.autocommit, overdue)

        @property
        def closed(self):
            """Needed by _in_time(); the connections of the other drivers have this already."""
            return not self.open

    return Connection


_OVERSEEN_CONNECT = {
    "psycopg2": _overseen_psycopg2,
    "psycopg": _overseen_psycopg,
    "mysqldb": _overseen_mysqlclient,
}
_SETTERS_OF_SECONDS = {"pymysql": _limit_pymysql} | dict.fromkeys(
    _OVERSEEN_CONNECT, _limit_overseen
)
