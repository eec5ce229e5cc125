"""The error codes of databases that more than one module needs.

Numbers are from MySQL and MariaDB; strings are SQLSTATEs from PostgreSQL.
"""

NO_SUCH_TABLE = 1146
# Another transaction has kept a row, or a table, locked for too long.
LOCK_WAIT_TIMEOUT = 1205
LOCK_NOT_AVAILABLE = "55P03"
# The account lacks a privilege on a table, such as TRIGGER.
DENIED_ON_TABLE = 1142
# The account lacks a privilege on a table, or on the whole database.
DENIED_ON_MYSQL = (DENIED_ON_TABLE, 1044)
# The account lacks a privilege on something, which need not be a table.
DENIED_ON_POSTGRESQL = "42501"
