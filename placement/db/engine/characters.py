"""Which characters the texts of a database can have.

Of MySQL's character sets, utf8mb3 has none of those that take four bytes in UTF-8. Text that has
them is refused where it is compared with a column in utf8mb3, and turned into question marks by a
connection in utf8mb3.
"""

import sqlalchemy as sa

from placement.db import tables

_WITH_FOUR_BYTES = "utf8mb4"
# What clients may write as they like. All else that is asked for by name is ASCII.
_FREE_TEXTS = (
    tables.resource_providers.c.name,
    tables.projects.c.external_id,
    tables.users.c.external_id,
)
# Those of the connection and of the columns, which need not have a row.
_CHARACTER_SETS = sa.select(
    sa.func.charset(""),
    *(sa.func.charset(sa.select(each).limit(1).scalar_subquery()) for each in _FREE_TEXTS),
)


def has_those_of_four_bytes(conn):
    """Can names and owners have characters that take four bytes in UTF-8?

    Cost: one query to MySQL, as its tables may be converted at any time; else none.
    """
    if conn.dialect.name != "mysql":
        return True
    return set(conn.execute(_CHARACTER_SETS).one()) == {_WITH_FOUR_BYTES}
