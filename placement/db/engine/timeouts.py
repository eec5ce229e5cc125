"""How long to wait for a database, as options for its server and its driver.

A live server ends what takes too long. If its machine is gone or frozen, the driver has to give up
on it: see also reply_limits.py.
"""

import dataclasses

# How many seconds a server gets to report that it has ended a statement.
_MARGIN = 1


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Whole seconds to wait for a database.

    `connect`: for a new connection, and for a pooled one to prove that it still works.
    `statement`: for a statement; also for a whole transaction that writes, from the wait for a
    connection to the commit. `lock`: for rows that another transaction has locked.
    """

    connect: int
    statement: int
    lock: int

    @property
    def reply(self):
        """Seconds after which the driver gives up on a server that does not reply."""
        return self.statement + _MARGIN


def session_statements(dialect_name, timeouts):
    """Return the statements that make the server keep to `timeouts` in a new session."""
    if dialect_name == "sqlite":
        return [f"PRAGMA busy_timeout = {timeouts.lock * 1000}"]
    if dialect_name == "postgresql":
        # These settings are not options of the connection, because pgbouncer refuses them there.
        return [
            f"SET statement_timeout = '{timeouts.statement}s'",
            f"SET lock_timeout = '{timeouts.lock}s'",
        ]
    # MariaDB executes the first comment, and MySQL the second. MySQL can limit only a SELECT.
    return [
        f"SET SESSION innodb_lock_wait_timeout = {timeouts.lock}"
        f" /*M!100101 , SESSION max_statement_time = {timeouts.statement} */"
        f" /*!80000 , SESSION max_execution_time = {timeouts.statement * 1000} */"
    ]


def with_driver_options(url, timeouts):
    """Return a sqlalchemy.URL with options for its driver added, except those that it has."""
    options = {}
    if url.get_backend_name() == "mysql":
        options = {"connect_timeout": timeouts.connect}
        if url.get_driver_name() == "pymysql":
            # PyMySQL waits for a server's greeting as long as for any reply: see reply_limits.py.
            options |= {"read_timeout": timeouts.connect, "write_timeout": timeouts.connect}
    elif url.get_backend_name() == "postgresql":
        # Keepalives notice a lost server while a reply is due. tcp_user_timeout (in milliseconds)
        # notices it while a statement is being sent.
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
