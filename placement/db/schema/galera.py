"""A Galera cluster: the name of a node, and a lock that all nodes share.

Two nodes that create triggers at once may bring the whole cluster to a halt, and GET_LOCK works on
one node only. But the nodes agree on which of two transactions inserted a row first. So the lock is
a row, which its holder deletes.
"""

import contextlib
import time

import sqlalchemy as sa
from oslo_db import exception as db_exc
from sqlalchemy import exc as sa_exc

from placement.db.faults import codes

LOCK_TABLE = "placement_schema_lock"

_CREATE = (
    f"CREATE TABLE IF NOT EXISTS {LOCK_TABLE} (id INT PRIMARY KEY, node VARCHAR(64) NOT NULL,"
    " until DATETIME NOT NULL) ENGINE = InnoDB"
)
_table = sa.table(LOCK_TABLE, sa.column("id"), sa.column("node"), sa.column("until"))
_POLL_SECONDS = 0.5


class Locked(Exception):
    """Another node has held the lock for too long."""


@contextlib.contextmanager
def lock(conn, seconds):
    """Context manager: hold the migration lock of a whole cluster, which is a row in a table.

    `conn` is connected to one node of the cluster. Outside of a cluster, this does nothing. The
    caller holds this node's own lock, so if there is a row of this node, a process that died has
    left it. A row of another node is valid for `seconds`.
    Raises: Locked, after `seconds`.
    """
    node_name = node(conn)
    conn.commit()
    if node_name is None:
        yield
        return
    _acquire(conn, node_name, seconds)
    try:
        yield
    finally:
        _roll_back(conn)
        _release(conn, node_name)


def node(conn):
    """Return the name by which the cluster knows this node, or None outside of a cluster."""
    if conn.dialect.name != "mysql":
        return None
    status = conn.execute(sa.text("SHOW STATUS LIKE 'wsrep_gcomm_uuid'")).first()
    # A server that is in no cluster has no such status, or an empty one.
    return status.Value or None if status else None


def _acquire(conn, node_name, seconds):
    """Wait until this node has got the lock. Raises: Locked, after `seconds`."""
    end = time.monotonic() + seconds
    while not _try_to_acquire(conn, node_name, seconds):
        if time.monotonic() > end:
            raise Locked
        time.sleep(_POLL_SECONDS)


def _release(conn, node_name):
    """Release the lock, if this node still holds it."""
    try:
        # If the lock was held for too long, another node may have it by now.
        conn.execute(sa.delete(_table).where(_table.c.node == node_name))
    except sa_exc.ProgrammingError as error:
        # `db release` has dropped the table.
        if not _is_missing_table(error):
            raise
    conn.commit()


def _try_to_acquire(conn, node_name, seconds):
    """Try once. Return whether this node has got the lock, which is then valid for `seconds`.

    If the table of the lock is missing, it is created, and the caller has to try again.
    """
    until = sa.func.timestampadd(sa.text("SECOND"), seconds, sa.func.now())
    # The caller holds this node's own lock, so a row of this node was left by a process that died.
    is_over = sa.or_(_table.c.node == node_name, _table.c.until < sa.func.now())
    try:
        conn.execute(sa.delete(_table).where(is_over))
        conn.execute(sa.insert(_table).values(id=1, node=node_name, until=until))
        conn.commit()
    except (db_exc.DBDuplicateEntry, db_exc.DBDeadlock):
        _roll_back(conn)
        return False
    except sa_exc.ProgrammingError as error:
        _roll_back(conn)
        if not _is_missing_table(error):
            raise
        conn.exec_driver_sql(_CREATE)
        conn.commit()
        return False
    return True


def _roll_back(conn):
    """Undo the transaction. Another node may abort it at this moment, and so undo it first."""
    with contextlib.suppress(db_exc.DBDeadlock):
        conn.rollback()


def _is_missing_table(error):
    return error.orig.args[0] == codes.NO_SUCH_TABLE
