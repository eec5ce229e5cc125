"""Rows packed into text, because reading separate rows and columns would take most of the time."""

import functools
import json
import operator
from typing import NamedTuple

import sqlalchemy as sa

from placement.db.faults import outages

# These are literals, because a short query would otherwise have more parameters than columns.
_COMMA, _NOTHING = sa.literal_column("','", sa.String), sa.literal_column("''", sa.String)


class Marks(NamedTuple):
    """The separators of a packed text: after the number of rows, between columns, after a row."""

    count: str
    column: str
    row: str


ROWS = Marks(":", ",", ";")
# For rows in which some columns are themselves packed rows.
NESTED = Marks("=", "|", "&")
_NO_ROWS = "0" + ROWS.count


def of_rows(*columns, order_by=None, marks=ROWS):
    """Pack rows of numbers, or of names, into one text: "2:3,7;4,12;" is two rows of two columns.

    The number of rows and the last semicolon show that the database has not cut the text.
    order_by: a column; for MySQL only (others spell it differently, older SQLites cannot do it)
    marks: NESTED if some columns are themselves packed rows
    """
    rows = _joined(columns, marks)
    if order_by is not None:
        rows = rows.op("ORDER BY")(order_by)
    return _counted(columns, sa.func.aggregate_strings(rows, _NOTHING), marks)


def of_all_rows(*columns):
    """Pack all rows of a table into one text: "2:3,7;4,12;", or "0:" if there are none.

    So a NULL means only that the text was too long for MySQL's max_allowed_packet.
    """
    rows = sa.func.aggregate_strings(_joined(columns, ROWS), _NOTHING)
    return _counted(columns, sa.func.coalesce(rows, _NOTHING), ROWS)


def packed(rows):
    """Pack `rows`, sequences of numbers or names, into a text like those that of_rows() selects."""
    texts = (ROWS.column.join(map(str, row)) + ROWS.row for row in rows)
    return f"{len(rows)}{ROWS.count}{''.join(texts)}"


def _joined(columns, marks):
    """Return the SQL for one row as text, with the mark that ends it."""
    first, *others = [_as_text(column) for column in columns]
    comma, end = _literal(marks.column), _literal(marks.row)
    return functools.reduce(lambda text, column: text + comma + column, others, first) + end


def _counted(columns, rows, marks):
    """Return the SQL for the number of rows, followed by `rows`, the SQL for the rows."""
    return _as_text(sa.func.count(columns[0])) + _literal(marks.count) + rows


def _literal(mark):
    # This is a literal, because a statement that is sent as text cannot have parameters.
    return sa.literal_column(f"'{mark}'", sa.String)


def or_empty(column):
    """Return the SQL for a column as text, which is empty for a NULL."""
    return sa.func.coalesce(_as_text(column), _NOTHING)


def of_row(*columns):
    """Join the columns of a row into one text: "a,2,c". Only the last one may contain commas.

    A NULL becomes an empty text; in the last column, the comma before it is missing, too.
    """
    *others, last = columns
    first, *texts = map(or_empty, others)
    texts = [*(_COMMA + text for text in texts), or_empty(_COMMA + _as_text(last))]
    return functools.reduce(operator.add, texts, first)


def row_of(text, column_count):
    """Return the strings in a text that of_row() made of `column_count` columns.

    A NULL is "" or, in the last column, None.
    """
    row = text.split(",", column_count - 1)
    return row if len(row) == column_count else [*row, None]


def _as_text(column):
    # A number has up to 20 characters, and a time 26.
    return column if isinstance(column.type, sa.String) else sa.cast(column, sa.String(26))


def whole(text):
    """Return the text given; it is None only if it was too long for MySQL's max_allowed_packet.

    Raises: CutText if it is None.
    """
    if text is None:
        raise outages.CutText("a text is missing")
    return text


def rows_of(text, marks=ROWS):
    """Return the rows of a packed text, in any order: ["3,7", "4,12"] for "2:3,7;4,12;".

    None and an empty text have no rows.
    Raises: CutText if the database cuts texts, as MySQL does after group_concat_max_len.
    """
    if not text:
        return []
    count, _, rest = text.partition(marks.count)
    # Each row ends with the mark, so nothing follows the last mark.
    *rows, end = rest.split(marks.row)
    if end or len(rows) != int(count):
        raise _cut(text)
    return rows


def numbers_of(text):
    """Return all numbers in packed rows: [3, 7, 4, 12] for "2:3,7;4,12;". Faster than rows_of.

    None and an empty text have no numbers.
    Raises: CutText if the database cuts texts.
    """
    if not text or text == _NO_ROWS:
        return []
    count, _, rows = text.partition(ROWS.count)
    if not rows.endswith(ROWS.row) or rows.count(ROWS.row) != int(count):
        raise _cut(text)
    return json.loads(f"[{rows[:-1].replace(ROWS.row, ',')}]")


def pairs_of(text):
    """Yield the rows of a text as pairs of numbers. Raises: CutText if the database cuts texts."""
    numbers = numbers_of(text)
    return zip(numbers[::2], numbers[1::2], strict=True)


def _cut(text):
    return outages.CutText(f"{text[:40]}...{text[-40:]}")
