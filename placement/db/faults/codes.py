"""Errors by the code of the database, where more than one module asks for it.

A number is of MySQL and MariaDB, a text is an SQLSTATE of PostgreSQL.
"""

NO_SUCH_TABLE = 1146
# The account lacks a privilege: on a table, such as TRIGGER; on a database; on either.
DENIED_ON_TABLE = 1142
DENIED_ON_DATABASE = 1044
DENIED_ON_POSTGRESQL = "42501"
