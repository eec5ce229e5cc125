"""Which characters a database can store.

MySQL's utf8mb3 lacks the characters that take four bytes in UTF-8. If text with such characters is
compared with a column in utf8mb3, MySQL refuses the statement. A connection in utf8mb3 turns these
characters into question marks.
"""

import sqlalchemy as sa

from placement.db import tables

_WITH_FOUR_BYTES = "utf8mb4"
# The columns whose strings clients choose freely. All other names are ASCII.
_FREE_TEXTS = (
    tables.resource_providers.c.name,
    tables.projects.c.external_id,
    tables.users.c.external_id,
)
# The character sets of the connection and of these columns. This works for empty tables, too.
_CHARACTER_SETS = sa.select(
    sa.func.charset(""),
    *(sa.func.charset(sa.select(each).limit(1).scalar_subquery()) for each in _FREE_TEXTS),
)


def may_take_four_bytes(conn):
    """Return whether names and owners can contain characters that take four bytes in UTF-8.

    Cost: one query on MySQL, whose tables may be converted at any time; otherwise none.
    """
    if conn.dialect.name != "mysql":
        return True
    return set(conn.execute(_CHARACTER_SETS).one()) == {_WITH_FOUR_BYTES}
