"""Rows as texts, as most of the time of a large answer would go into reading rows and columns."""

import functools
import json
import operator
from typing import NamedTuple

import sqlalchemy as sa

from placement.db.faults import outages

# Not as parameters, of which a short query would have more than columns.
_COMMA, _NOTHING = sa.literal_column("','", sa.String), sa.literal_column("''", sa.String)


class Marks(NamedTuple):
    """What stands after the number of rows, between columns, and after a row."""

    count: str
    column: str
    row: str


ROWS = Marks(":", ",", ";")
# Rows in which some columns are texts of rows.
NESTED = Marks("=", "|", "&")


def of_rows(*columns, order_by=None, marks=ROWS):
    """Aggregate rows of numbers, or of names, to one text: "2:3,7;4,12;" for two of two columns.

    The number of rows and the last semicolon show that a database has not cut the text. An order
    can be asked of MySQL only: the others spell it differently, or, as older SQLites, not at all.
    """
    first, *others = [_as_text(column) for column in columns]
    row = functools.reduce(lambda text, column: text + marks.column + column, others, first)
    row += marks.row
    if order_by is not None:
        row = row.op("ORDER BY")(order_by)
    return _as_text(sa.func.count(columns[0])) + marks.count + sa.func.aggregate_strings(row, "")


def or_empty(column):
    """Return the text of a column that may be null."""
    return sa.func.coalesce(_as_text(column), _NOTHING)


def of_row(*columns):
    """Join the columns of a row to one text. Only the last one may have commas in it."""
    *others, last = columns
    first, *texts = map(or_empty, others)
    texts = [*(_COMMA + text for text in texts), or_empty(_COMMA + _as_text(last))]
    return functools.reduce(operator.add, texts, first)


def row_of(text, columns):
    """Return the texts of so many columns: of one that was NULL "", and None of the last one."""
    row = text.split(",", columns - 1)
    return row if len(row) == columns else [*row, None]


def _as_text(column):
    # Numbers take up to 20 characters, and times 26.
    return column if isinstance(column.type, sa.String) else sa.cast(column, sa.String(26))


def rows_of(text, marks=ROWS):
    """Return the rows of a text, in any order, each a text; none for None, or an empty text.

    Raises: Outage if the database cuts texts, as MySQL does after group_concat_max_len.
    """
    if not text:
        return []
    count, _, rows = text.partition(marks.count)
    *found, end = rows.split(marks.row)
    if end or len(found) != int(count):
        raise _cut(text)
    return found


def numbers_of(text):
    """Return all numbers of a text of rows of numbers, row by row, in less time than rows_of.

    Raises: as rows_of.
    """
    if not text:
        return []
    count, _, rows = text.partition(ROWS.count)
    if not rows.endswith(ROWS.row) or rows.count(ROWS.row) != int(count):
        raise _cut(text)
    return json.loads(f"[{rows[:-1].replace(ROWS.row, ',')}]")


def pairs_of(text):
    """Return the pairs of numbers that are the rows of a text. Raises: as rows_of."""
    numbers = numbers_of(text)
    return zip(numbers[::2], numbers[1::2], strict=True)


def _cut(text):
    return outages.Outage(outages.Reason.CUTS, f"{text[:40]}...{text[-40:]}")
