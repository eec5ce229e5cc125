"""Avoiding needless pings and rollbacks of pooled connections between transactions.

SQLAlchemy pings a connection each time it is taken out, and rolls back each time it is put back:
two messages for each transaction. Here a connection that has just worked is trusted, and no
rollback follows a commit. If a trusted connection has been lost, its next transaction fails, and
can be tried again: see outages.Lost.
"""

import contextlib
import functools
import logging
import time

import sqlalchemy as sa
from oslo_db import exception as db_exc
from sqlalchemy import exc as sa_exc
from sqlalchemy.dialects import plugins

from placement.db.faults import outages

LOG = logging.getLogger(__name__)

# How long a connection is trusted after its last use. When a server freezes, requests with a
# trusted connection wait for the timeout of a statement, and the others only for the shorter one of
# a ping.
TRUST_SECONDS = 1

# The keys under which facts about a connection are noted in its `info`.
_RESTS_SINCE = "placement_rests_since"
_IS_TRUSTED = "placement_is_trusted"
_IS_CLEAN = "placement_is_clean"
_IS_SINGLE = "placement_is_single"
_IS_MARKED = "placement_is_marked"


class Plugin(sa.CreateEnginePlugin):
    """Turns off SQLAlchemy's pings and rollbacks, which the listeners below replace."""

    def update_url(self, url):
        return url

    def handle_pool_kwargs(self, _pool_class, options):
        options.update(pre_ping=False, reset_on_return=None)

    def engine_created(self, engine):
        sa.event.listen(engine, "checkout", functools.partial(_ping_unless_new, engine.dialect))
        sa.event.listen(engine, "checkin", _note_time)
        sa.event.listen(engine, "reset", _reset)


plugins.register("placement", __name__, "Plugin")


def saving_messages(url):
    """Return a sqlalchemy.URL whose engine avoids needless pings and rollbacks."""
    return url.update_query_dict({"plugin": "placement"}, append=True)


def is_trusted(conn):
    """Whether a connection was taken out without a check that it still works."""
    return conn.info[_IS_TRUSTED]


def skip_rollback(conn):
    """Let a connection be put back without a rollback: its only transaction is committed."""
    conn.info[_IS_CLEAN] = True


def execute_singly(conn):
    """Execute each statement as a transaction of its own, until the connection is put back.

    psycopg2 and psycopg 3 would otherwise send BEGIN and ROLLBACK. To turn on autocommit costs them
    no message; it would cost a MySQL driver one. This does not use SQLAlchemy's isolation_level,
    because psycopg2 sends a message to reset it. If the connection were lost at that point,
    SQLAlchemy would raise the driver's error, and never put the connection back.
    Raises: outages.Lost.
    """
    if conn.dialect.name == "postgresql":
        conn.info[_IS_SINGLE] = True
        _turn_on(conn, "autocommit")


def mark_as_ours(conn):
    """Let the triggers of the feed know that the next transaction is ours: see foreign_triggers.py.

    This costs no message: psycopg2 and psycopg 3 send BEGIN DEFERRABLE instead of BEGIN.
    Raises: outages.Lost.
    """
    if conn.dialect.name == "postgresql":
        conn.info[_IS_MARKED] = True
        _turn_on(conn, "deferrable")


def _turn_on(conn, setting):
    """Set an attribute of the driver's connection. Raises: outages.Lost."""
    try:
        setattr(conn.connection.dbapi_connection, setting, True)
    except conn.dialect.loaded_dbapi.Error as error:
        # This means that the driver already knows that the connection is lost.
        conn.invalidate(error)
        conn.close()
        raise outages.Lost(error) from error


@contextlib.contextmanager
def put_back(conn):
    """Context manager: give the connection back to its pool at the end.

    It is not an error if the connection was lost: its work is done, or has failed already.
    """
    try:
        yield conn
    finally:
        try:
            conn.close()
        except (sa_exc.DBAPIError, db_exc.DBError) as error:
            LOG.debug("A connection was lost after its last use: %s", error)


def _ping_unless_new(dialect, dbapi_connection, record, _proxy):
    """Ping a connection that is taken out of the pool, unless it is new or is still trusted."""
    rests_since = record.info.get(_RESTS_SINCE)
    rested = 0 if rests_since is None else time.monotonic() - rests_since
    record.info[_IS_TRUSTED] = rests_since is not None and rested < TRUST_SECONDS
    if rested < TRUST_SECONDS:
        return
    try:
        dialect.do_ping(dbapi_connection)
    except dialect.loaded_dbapi.Error as error:
        if dialect.is_disconnect(error, dbapi_connection, None):
            # SQLAlchemy then replaces the older connections of the pool, too.
            raise sa_exc.InvalidatePoolError() from error
        raise


def _note_time(dbapi_connection, record):
    # A connection that was lost is put back as None.
    if dbapi_connection is not None:
        record.info[_RESTS_SINCE] = time.monotonic()


def _reset(dbapi_connection, record, state):
    """Undo what a user of a connection has set, and roll back if that is needed."""
    # SQLAlchemy replaces a connection for which this raises an exception.
    # A single statement leaves nothing to roll back, nor does a transaction that was committed.
    if record.info.pop(_IS_SINGLE, False):
        dbapi_connection.autocommit = False
    elif not record.info.pop(_IS_CLEAN, False) and not state.transaction_was_reset:
        dbapi_connection.rollback()
    if record.info.pop(_IS_MARKED, False):
        # Otherwise psycopg2 would send a message for this setting when execute_singly() is undone.
        dbapi_connection.deferrable = None
