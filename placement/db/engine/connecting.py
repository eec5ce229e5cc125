"""Connecting to a database. oslo.db makes the engines, and translates the drivers' exceptions.

`_BEGIN` has the statements that begin a transaction on each kind of database.
"""

import functools

import sqlalchemy as sa
from oslo_db.sqlalchemy import engines

from placement.db.engine import (
    connection_marks,
    ended_statements,
    reply_limits,
    trusted_connections,
)
from placement.db.engine.database import Database
from placement.db.engine.retries import retry_while_unreachable
from placement.db.engine.statement_cost import count_statements
from placement.db.engine.timeouts import session_statements, with_driver_options
from placement.db.engine.transaction_kinds import TransactionKind, kind_of
from placement.db.faults import drivers
from placement.db.feed import foreign_triggers
from placement.db.sql import trigger_sets

# Seconds that an SQLite connection waits for another writer to finish, if there are no Timeouts.
SQLITE_BUSY_SECONDS = 15

# The isolation of transactions that write, and of those that only read.
OF_WRITERS, OF_READERS = "READ COMMITTED", "REPEATABLE READ"
_SNAPSHOT = f"ISOLATION LEVEL {OF_READERS}, READ ONLY"
# The first statement of a transaction, by kind of database and kind of transaction. All statements
# of a reader see the same snapshot. Each statement of a writer sees everything that was committed
# before it; if it had to wait for a row, it reads the row as the other writer left it.
_BEGIN = {
    ("sqlite", TransactionKind.READ): "BEGIN",
    ("sqlite", TransactionKind.WRITE): "BEGIN IMMEDIATE",
    ("mysql", TransactionKind.READ): f"SET TRANSACTION {_SNAPSHOT}",
    # This is one statement, because a proxy may take a lone SET for a whole transaction, and give
    # the next statement another session.
    ("mariadb", TransactionKind.READ): f"BEGIN NOT ATOMIC SET TRANSACTION {_SNAPSHOT};"
    " START TRANSACTION; END",
    ("postgresql", TransactionKind.READ): f"SET TRANSACTION {_SNAPSHOT}",
}

_MARK_AS_OURS = f"SET {trigger_sets.OURS_ON_MYSQL} = 1"

# The statements that are executed once on each new connection, by kind of database.
_NEW_SESSION = {
    "sqlite": [f"PRAGMA busy_timeout = {SQLITE_BUSY_SECONDS * 1000}"],
    "mysql": [
        f"SET SESSION TRANSACTION ISOLATION LEVEL {OF_WRITERS}",
        # By default, MySQL cuts off the result of GROUP_CONCAT after 1,024 bytes.
        "SET SESSION group_concat_max_len = 16777216",
        # The triggers skip what a session with this mark writes: see triggers.py.
        _MARK_AS_OURS,
    ],
    "postgresql": [
        f"SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL {OF_WRITERS}",
        # Compiling one of our statements would take longer than executing it.
        "SET SESSION jit = off",
    ],
}


class UnusableReplica(Exception):
    """The URL of the replica cannot be used; __cause__ is what connect() raised for that URL."""


def connect(
    url, replica_url=None, timeouts=None, max_retries=None, retry_interval=10, **options
):
    """Return the Database at `url`; `options` are those of oslo.db's create_engine, and these:

    connection_parameters  "name=value&name=value", which replaces the URL's parameters of the same
                           names
    creates_file           whether SQLite may create the file of the database; the default is True

    Unless `max_retries` is None, this function tries to connect, as retry_while_unreachable() does,
    but to SQLite only once. It does not try a replica, which need not be up before it is used.
    Without `timeouts` (Timeouts), nothing limits the waits. With them, SQLite may create the file
    only when this function tries to connect.
    Raises: ValueError if a part of `url` is malformed; drivers.NotAUrl, Unsupported, NotInstalled,
        BadParameters, FileMissing; DBConnectionError; UnusableReplica.
    """
    replica = None
    if replica_url:
        try:
            replica = connect(replica_url, timeouts=timeouts, **options)
        except Exception as error:
            raise UnusableReplica from error
    # For Database.sibling(), whose caller may replace any of these options.
    sibling = functools.partial(connect, url, **options | {"timeouts": timeouts})
    engine = _engine(url, timeouts, options, is_tried=max_retries is not None)
    database = Database(engine, replica, timeouts, sibling)
    if max_retries is not None:
        _try(database, max_retries, retry_interval)
    return database


def _try(database, max_retries, retry_interval):
    """Connect to a Database, once it can be reached. Raises: DBConnectionError, BadParameters."""

    def attempt():
        database.connection(TransactionKind.READ).close()

    # A file that cannot be opened now cannot be opened later, either.
    if database.kind == "sqlite" or not max_retries:
        attempt()
    else:
        retry_while_unreachable(attempt, max_retries, retry_interval)


def _engine(url, timeouts, options, is_tried):
    """Return a new engine. Raises: as connect() does.

    is_tried: whether connect() makes the first connection, which may then create an SQLite file
    """
    options = dict(options)
    # oslo.db would add the parameters to those of the URL, but most drivers take one value for each
    # name.
    url = _complete_url(url, options.pop("connection_parameters", ""), timeouts)
    if not options.pop("creates_file", True):
        drivers.check_file_exists(url)
    if url.get_backend_name() == "sqlite":
        # SQLite files have no pool, but oslo.db would pass pool_timeout on.
        options = options | {"pool_timeout": None}
    try:
        # connect() itself makes the first connection. thread_checkin would call sleep(0) at each
        # check-in, for the sake of green threads.
        engine = engines.create_engine(url, max_retries=0, thread_checkin=False, **options)
    except ValueError as error:
        raise drivers.BadParameters(error) from error
    _listen(engine, timeouts, is_tried)
    return engine


def _complete_url(url, parameters, timeouts):
    """Return the sqlalchemy.URL to connect to, with everything that its driver needs to know.

    Raises: ValueError; drivers.NotAUrl, Unsupported, NotInstalled, BadParameters.
    """
    url = drivers.parsed(url)
    if "@" in (url.host or ""):
        # The part of a password after an @ would be taken for the host, and quoted in errors.
        raise ValueError("an @ in what should be the host")
    drivers.check(url)
    url = drivers.with_parameters(url, parameters)
    drivers.check_parameters(url)
    if timeouts:
        url = with_driver_options(url, timeouts)
    return trusted_connections.saving_messages(url)


def _listen(engine, timeouts, is_tried):
    """Prepare each connection and transaction of an engine, and notice how statements end."""
    # This comes first, because a later listener may open the connection.
    drivers.keep_from_preparing_statements(engine)
    statements = list(_NEW_SESSION[engine.dialect.name])
    if timeouts:
        statements += session_statements(engine.dialect.name, timeouts)
        reply_limits.limit(engine, timeouts)
        if engine.dialect.name == "sqlite":
            refuse = functools.partial(sa.event.listen, engine, "do_connect", _refuse_missing_file)
            if is_tried:
                sa.event.listen(engine, "connect", lambda *_: refuse(), once=True)
            else:
                refuse()
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _mark_as_ours_on_sqlite)
    sa.event.listen(engine, "connect", functools.partial(_prepare, statements))
    if timeouts:
        # Of our processes, only servers have timeouts.
        sa.event.listen(engine, "connect", functools.partial(connection_marks.mark, engine.dialect))
    sa.event.listen(engine, "begin", functools.partial(_begin, statements))
    drivers.recognise_closed_sockets(engine)
    drivers.read_invalid_moments_as_none(engine)
    # This comes before count_statements(), so that the repetition of a statement is timed, too.
    ended_statements.notice(engine, timeouts)
    # The statements that begin a transaction do not count as statements of the request.
    count_statements(engine, uncounted=frozenset(_BEGIN.values()))


def _refuse_missing_file(dialect, _record, arguments, _options):
    """Keep SQLite from creating a new file in place of one that is gone.

    arguments: those of sqlite3.connect
    Raises: OperationalError, of the driver.
    """
    [path] = arguments
    if drivers.is_missing(path):
        raise dialect.loaded_dbapi.OperationalError(f"there is no file {path}")


def _mark_as_ours_on_sqlite(dbapi_connection, _record):
    """Let the triggers of the feed know that this connection is ours: see foreign_triggers.py.

    They call a built-in function of SQLite, which this replaces on our connections.
    """
    mark = foreign_triggers.SQLITE_MARK
    dbapi_connection.create_function("sqlite_source_id", 0, lambda: mark, deterministic=True)


def _prepare(statements, dbapi_connection, _record):
    """Execute the statements that set up a new connection."""
    cursor = dbapi_connection.cursor()
    for statement in statements:
        cursor.execute(statement)
    cursor.close()
    # Without this commit, PostgreSQL would undo the settings at the next rollback.
    dbapi_connection.commit()


def _begin(statements, conn):
    """Begin a transaction; if a proxy shares the session, set it up first with `statements`."""
    kind = kind_of(conn)
    system = "mariadb" if getattr(conn.dialect, "is_mariadb", False) else conn.dialect.name
    if kind is TransactionKind.SHARED_WRITE and system == "mariadb":
        # This is one statement, because a proxy may give the next one another session.
        together = "; ".join([*statements, "START TRANSACTION"])
        conn.exec_driver_sql(f"BEGIN NOT ATOMIC {together}; END")
    elif kind is TransactionKind.SHARED_WRITE and system == "mysql":
        # MySQL has no such blocks, so these are several statements. A proxy may execute them in
        # different sessions, but it knows the isolation level, and sets it in each session.
        for statement in (*statements, "START TRANSACTION", _MARK_AS_OURS):
            conn.exec_driver_sql(statement)
    elif (statement := _BEGIN.get((system, kind))) is not None:
        conn.exec_driver_sql(statement)
