"""Statements that are sent so often that the time to build and compile them matters."""

import bisect
import functools
import re
from typing import NamedTuple

import sqlalchemy as sa
from oslo_utils import timeutils

from placement.db.chunks import MAX_CONDITIONS, MAX_PARAMETERS, chunks

ZERO, ONE = sa.literal_column("0", sa.Integer), sa.literal_column("1", sa.Integer)


# Statements exist only for these numbers of rows: see padded().
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, MAX_CONDITIONS)
# The same for longer lists; the last size is the most names that a body may have.
SIZES_OF_LISTS = (*SIZES, 150, 200, 300, 500, 1000, 2000, 5000, MAX_PARAMETERS)
# The most texts of each kind of statement that are kept. A text takes at most 150 KB: in the worst
# case, a claim is on a whole chunk of inventories, each for a different user. For one user and ten
# inventories it is 15 KB.
MOST_SHAPES = 64


class _Text(NamedTuple):
    """A statement as text for one driver.

    `order` has the names of the parameters, in order, for a driver that takes them by position.
    For one that takes them by name, it is None.
    """

    text: str
    order: list[str] | None


class Prepared:
    """A SQLAlchemy statement, compiled once for each driver and then sent as text.

    `build` returns the statement. Only the text is kept: it takes kilobytes, but a large
    statement takes megabytes. The statement must not have list parameters, column defaults, or
    numbers that are not literal (ZERO, ONE). If it `has_literals`, it has no parameters, and all
    its values are written into the text.
    Drivers get the parameter values unconverted: numbers, text, and times as now() returns them.
    """

    def __init__(self, build, has_literals=False):
        self._build = build
        self._options = {"literal_binds": has_literals}
        # {(kind of database, driver): the _Text for it}
        self._compiled = {}

    def execute(self, conn, parameters):
        """Return what conn.execute would return, but faster."""
        driver = conn.dialect.name, conn.dialect.driver
        if (compiled := self._compiled.get(driver)) is None:
            compiled = self._compiled[driver] = self._compile(conn.dialect)
        text, order = compiled
        if order is not None:
            # This driver takes parameters by position.
            parameters = tuple([parameters[name] for name in order])
        return conn.exec_driver_sql(text, parameters)

    def _compile(self, dialect):
        compiled = self._build().compile(dialect=dialect, compile_kwargs=self._options)
        return _Text(str(compiled), compiled.positiontup)


def for_each_shape(build):
    """Decorate a function that builds a statement, so that it returns a Prepared instead.

    The arguments of the function (the "shape") have to be hashable: the Prepareds for the most
    recently used arguments are kept.
    """

    @functools.lru_cache(MOST_SHAPES)
    def prepare(*shape):
        return Prepared(functools.partial(build, *shape))

    return functools.wraps(build)(prepare)


def padded(rows, sizes=SIZES):
    """Return rows with the last one repeated, until there are as many as one of the sizes.

    Example: 5 rows become 6. This is for rows that are alternatives in a condition, where a
    repetition changes nothing. Thus only a few statements have to be compiled, whatever clients ask
    for.
    There must be at least one row, and at most as many as the last size.
    """
    rows = list(rows)
    size = sizes[bisect.bisect_left(sizes, len(rows))]
    return rows + rows[-1:] * (size - len(rows))


def now():
    """Return the current second in a form that every database accepts.

    It has no fraction, because MySQL would round the moment, often to a second in the future.
    """
    now = timeutils.utcnow().replace(microsecond=0)
    return now.isoformat(sep=" ", timespec="microseconds")


def numbered(count, *names, type_=None):
    """Return `count` tuples of parameters: `names` with the suffix _0, then with _1, and so on.

    Example: numbered(2, "id", "uuid") has the parameters [(id_0, uuid_0), (id_1, uuid_1)].
    Without `type_`, each parameter takes the type of the column that it is compared with, and
    psycopg 3 casts it to that type.
    """
    return [
        tuple(sa.bindparam(f"{name}_{number}", type_=type_) for name in names)
        for number in range(count)
    ]


def values(rows, *names):
    """Return {"<name>_<number of the row>": value} for `rows`.

    Each row is a tuple with a value for each name.
    Example: values([(7, "a"), (8, "b")], "id", "uuid") has id_0: 7, uuid_0: "a", id_1: 8 and so on.
    These are the values for the parameters of numbered().
    """
    return {
        f"{name}_{number}": value
        for number, row in enumerate(rows)
        for name, value in zip(names, row, strict=True)
    }


def insert(conn, table, names, rows, created_at="created_at", moment=None):
    """Add rows, which are tuples with a value for each of the columns `names`.

    created_at: the column for the moment when they were created
    moment: a string like those that now() returns; None for the current second
    Cost: one statement for each chunk of rows.
    Raises: DBDuplicateEntry.
    """
    if not rows:
        return
    beginning, row_text, order = _insert_text(table, names, created_at, conn.dialect)
    created = {"now": moment or now()}
    for chunk in chunks(rows, MAX_CONDITIONS):
        given = [dict(zip(names, row, strict=True)) | created for row in chunk]
        conn.exec_driver_sql(
            beginning + ", ".join([row_text] * len(given)),
            tuple([values[name] for values in given for name in order]),
        )


class _InsertText(NamedTuple):
    """An INSERT as text: up to VALUES, then one row, and the names of the row's values in order."""

    beginning: str
    row: str
    order: list[str]


@functools.lru_cache
def _insert_text(table, names, created_at, dialect):
    """Return the _InsertText for a table.

    The text of a row can be repeated, so that one compiled text serves any number of rows.
    """
    row = {created_at: sa.bindparam("now"), **{name: sa.bindparam(name) for name in names}}
    compiled = sa.insert(table).values([row]).compile(dialect=dialect)
    text, order = str(compiled), compiled.positiontup
    if order is None:
        # This driver takes parameters by name, but the rows of a repeated text would share names.
        order = _NAMED_PARAMETER.findall(text)
        text = _NAMED_PARAMETER.sub("%s", text)
    beginning, values_word, row_text = text.partition(" VALUES ")
    return _InsertText(beginning + values_word, row_text, order)


# SQLAlchemy compiles for psycopg2 and psycopg with named parameters, such as %(uuid)s. These
# drivers also take values by position, for %s.
_NAMED_PARAMETER = re.compile(r"%\((\w+)\)s")
