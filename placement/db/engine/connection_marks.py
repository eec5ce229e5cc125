"""The mark on a server's connections, by which `db release` finds servers that are still running.

The mark belongs to the session: it may be lost if a proxy shares sessions between clients.
"""

import collections

import sqlalchemy as sa

_NAME = "placement-server"

_SET = {
    "sqlite": [],
    # In MySQL, others cannot see the name of a program, but can see which connection has a lock.
    "mysql": [f"DO GET_LOCK(CONCAT('{_NAME}.', CONNECTION_ID()), 0)"],
    # A name from the URL comes first, and the mark follows. PostgreSQL keeps 63 characters.
    "postgresql": [
        "SELECT set_config('application_name', left(ltrim(concat("
        f"replace(current_setting('application_name'), '{_NAME}', ''), ' {_NAME}')), 63), false)"
    ],
}
_SELECT = {
    # In a cluster, this finds only the connections to one node. IS_USED_LOCK returns the id of the
    # connection that has the lock.
    "mysql": "SELECT SUBSTRING_INDEX(host, ':', 1) FROM information_schema.processlist"
    " WHERE db = DATABASE() AND IS_USED_LOCK(CONCAT(:name, '.', id)) = id",
    "postgresql": "SELECT coalesce(host(client_addr), 'localhost') FROM pg_stat_activity"
    " WHERE datname = current_database() AND strpos(application_name, :name) > 0",
}


def mark(dialect, dbapi_connection, _record):
    """Mark a new connection, unless the database refuses that: no request depends on the mark."""
    cursor = dbapi_connection.cursor()
    try:
        for statement in _SET[dialect.name]:
            cursor.execute(statement)
        cursor.close()
        dbapi_connection.commit()
    except dialect.loaded_dbapi.Error:
        # For instance, the server may be part of a cluster that allows no locks of this kind.
        dbapi_connection.rollback()


def connections_by_host(conn):
    """Return {host: how many connections the servers on that host have to this database}.

    Return None for SQLite, where no server keeps a connection open between two transactions.
    """
    if conn.dialect.name not in _SELECT:
        return None
    hosts = conn.scalars(sa.text(_SELECT[conn.dialect.name]), {"name": _NAME})
    return dict(collections.Counter(hosts))
