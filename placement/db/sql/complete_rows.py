"""A last column that shows whether a row was computed to its end.

When MariaDB ends a statement (``KILL QUERY``), it computes no further subquery: EXISTS becomes
false, and any other subquery NULL. If the current row is the last one or the only one, MariaDB
sends it nevertheless, without an error. So a statement whose subqueries decide something selects
IS_COMPLETE as its last column.
"""

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles

from placement.db.faults import outages


class _Completed(sa.ColumnElement):
    """One more subquery, whose value is known: 1, or NULL if it was not computed."""

    type = sa.Integer()
    inherit_cache = True


@compiles(_Completed)
def _one(_element, _compiler, **_options):
    return "1"


@compiles(_Completed, "mysql")
def _subquery(_element, _compiler, **_options):
    # The condition is always true. Because of RAND(), MariaDB computes the subquery for each row,
    # after the columns before it.
    return "(SELECT 1 FROM DUAL WHERE RAND() < 2)"


IS_COMPLETE = _Completed().label("completed")


def checked(rows):
    """Yield rows without their last column, IS_COMPLETE.

    Raises: Outage if that column is NULL, because the server ended the statement too early.
    """
    for *row, is_completed in rows:
        if not is_completed:
            raise outages.Outage(outages.Reason.SLOW, "A statement was ended without an error.")
        yield row
