"""Statements that are sent so often that the time to build and compile them matters."""

import functools

import sqlalchemy as sa
from oslo_utils import timeutils

from placement.db.sql.chunks import MAX_CONDITIONS, chunks

ZERO, ONE = sa.literal_column("0", sa.Integer), sa.literal_column("1", sa.Integer)


class Prepared:
    """A SQLAlchemy statement, compiled once for each driver and then sent as text.

    It must not have list parameters, column defaults, or numbers that are not literal (ZERO, ONE);
    with `has_literals`, it has no parameters, and all its values are written into the text.
    Drivers get the parameter values unconverted: numbers, text, and times as `now` returns them.
    """

    def __init__(self, statement, has_literals=False):
        self._statement = statement
        self._options = {"literal_binds": has_literals}
        self._compiled = {}

    def execute(self, conn, parameters):
        """Return what conn.execute would return, but faster."""
        driver = conn.dialect.name, conn.dialect.driver
        if (compiled := self._compiled.get(driver)) is None:
            compiled = self._statement.compile(
                dialect=conn.dialect, compile_kwargs=self._options
            )
            compiled = self._compiled[driver] = str(compiled), compiled.positiontup
        text, order = compiled
        if order is not None:
            parameters = tuple([parameters[name] for name in order])
        return conn.exec_driver_sql(text, parameters)


def now():
    """Return the current time in a form that every database accepts."""
    return timeutils.utcnow().isoformat(sep=" ", timespec="microseconds")


def numbered(count, *names, type_=None):
    """Return `count` tuples of parameters: `names` with the suffix _0, then with _1, and so on.

    Without a type, each takes the type of the column it is compared with; psycopg 3 casts it to it.
    """
    return [
        tuple(sa.bindparam(f"{name}_{number}", type_=type_) for name in names)
        for number in range(count)
    ]


def values(rows, *names):
    """Return {parameter: value} for the `numbered` parameters of rows."""
    return {
        f"{name}_{number}": value
        for number, row in enumerate(rows)
        for name, value in zip(names, row, strict=True)
    }


def insert(conn, table, names, rows):
    """Add rows, tuples of the values of the columns `names`, created now.

    Cost: one statement for each hundred rows.
    Raises: DBDuplicateEntry.
    """
    for chunk in chunks(rows, MAX_CONDITIONS):
        parameters = values(chunk, *names)
        parameters["now"] = now()
        _insert_of(table, names, len(chunk)).execute(conn, parameters)


@functools.lru_cache
def _insert_of(table, names, count):
    return Prepared(
        sa.insert(table).values(
            [
                {"created_at": sa.bindparam("now"), **dict(zip(names, row, strict=True))}
                for row in numbered(count, *names)
            ]
        )
    )
