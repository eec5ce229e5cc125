"""How long to wait for a database: what its server is asked to give up, and its driver.

A server that is alive ends what takes too long. One that is not, because its machine is gone or
stands still, has to be left by the driver: see also replies.py.
"""

import dataclasses

# A server that ends a statement in time has so many seconds to say so.
_MARGIN = 1


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Whole seconds to wait for a database.

    `connect`: for a connection, and for one from the pool to show that it still is one.
    `statement`: for a statement; and for a transaction that writes, from the wait for a
    connection to the commit. `lock`: for what another transaction holds.
    """

    connect: int
    statement: int
    lock: int

    @property
    def reply(self):
        """Seconds after which a server is left that does not reply to a statement."""
        return self.statement + _MARGIN


def session_statements(dialect_name, timeouts):
    """Return the statements that let the server of a new session keep to `timeouts`."""
    if dialect_name == "sqlite":
        return [f"PRAGMA busy_timeout = {timeouts.lock * 1000}"]
    if dialect_name == "postgresql":
        # Not as options of the connection, which pgbouncer refuses.
        return [
            f"SET statement_timeout = '{timeouts.statement}s'",
            f"SET lock_timeout = '{timeouts.lock}s'",
        ]
    # MariaDB executes the first comment; MySQL, which only limits SELECT, the second.
    return [
        f"SET SESSION innodb_lock_wait_timeout = {timeouts.lock}"
        f" /*M!100101 , SESSION max_statement_time = {timeouts.statement} */"
        f" /*!80000 , SESSION max_execution_time = {timeouts.statement * 1000} */"
    ]


def with_driver_options(url, timeouts):
    """Return a sqlalchemy.URL that tells its driver of `timeouts`, where it does not itself."""
    options = {}
    if url.get_backend_name() == "mysql":
        # PyMySQL waits for the greeting of a server as for other replies: see replies.py.
        reply = timeouts.connect if url.get_driver_name() == "pymysql" else timeouts.reply
        options = {
            "connect_timeout": timeouts.connect,
            "read_timeout": reply,
            "write_timeout": reply,
        }
    elif url.get_backend_name() == "postgresql":
        options = {
            "connect_timeout": timeouts.connect,
            "keepalives_idle": timeouts.statement,
            "keepalives_interval": timeouts.connect,
            "keepalives_count": 3,
            "tcp_user_timeout": timeouts.reply * 1000,
        }
    return url.update_query_dict(
        {name: str(value) for name, value in options.items() if name not in url.query}
    )
