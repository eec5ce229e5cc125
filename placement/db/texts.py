"""Many rows as one text, as most of the time of a large answer would go into reading rows."""

import functools

import sqlalchemy as sa

from placement.db import outages


def of_rows(*columns, order_by=None):
    """Aggregate rows of numbers, or of names, to one text: "2:3,7;4,12;" for two of two columns.

    The number of rows and the last semicolon show that a database has not cut the text. An order
    can be asked of MySQL only: the others spell it differently, or, as older SQLites, not at all.
    """
    first, *others = [_as_text(column) for column in columns]
    row = functools.reduce(lambda text, column: text + "," + column, others, first) + ";"
    if order_by is not None:
        row = row.op("ORDER BY")(order_by)
    return _as_text(sa.func.count(columns[0])) + ":" + sa.func.aggregate_strings(row, "")


def _as_text(column):
    return column if isinstance(column.type, sa.String) else sa.cast(column, sa.String(20))


def rows_of(text):
    """Return the rows of a text, in any order, each a text; none for None.

    Raises: Outage if the database cuts texts, as MySQL does after group_concat_max_len.
    """
    if text is None:
        return []
    count, _, rows = text.partition(":")
    *found, end = rows.split(";")
    if end or len(found) != int(count):
        raise outages.Outage(outages.Reason.CUTS, f"{text[:40]}...{text[-40:]}")
    return found
