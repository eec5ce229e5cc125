"""When the ledger was last audited, and what was found.

The table is created by the first audit whose database account may create tables. It is not part of
a revision, because nothing depends on it.
Source: doc/how-to/audit.rst.
"""

import datetime
from typing import NamedTuple

import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement.db.engine import TransactionKind

_table = sa.Table(
    "placement_last_audit",
    sa.MetaData(),
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("finished_at", sa.DateTime, nullable=False),
    sa.Column("faults", sa.BigInteger, nullable=False),
    sa.Column("facts", sa.BigInteger, nullable=False),
)
TABLE = _table.name


class LastAudit(NamedTuple):
    """When an audit finished (UTC), and how many faults and facts it found."""

    finished_at: datetime.datetime
    faults: int
    facts: int


class NotRecorded(Exception):
    """The table cannot be written, for any reason; the message is a sentence without a newline."""


def record(database, faults, facts):
    """Remember that an audit has just finished, in place of the last one. Raises: NotRecorded.

    faults, facts: how many the audit has found
    """
    try:
        _record(database, faults, facts)
    except (db_exc.DBError, sa.exc.DBAPIError) as error:
        # The lines after the first are about the statement.
        reason = str(error).partition("\n")[0]
        raise NotRecorded(
            f"The audit cannot be recorded in the table {TABLE}, so 'placement-manage status' does "
            f"not show it: {reason}"
        ) from error


def _record(database, faults, facts):
    now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None, microsecond=0)
    # The table is created in a transaction of its own, because MySQL commits CREATE TABLE at once.
    with database.connection(TransactionKind.WRITE) as conn, conn.begin():
        _table.create(conn, checkfirst=True)
    with database.writer() as conn:
        conn.execute(sa.delete(_table))
        # The table has only this row.
        conn.execute(sa.insert(_table).values(id=1, finished_at=now, faults=faults, facts=facts))


def find(conn):
    """Return the LastAudit; None if none was recorded."""
    if not sa.inspect(conn).has_table(TABLE):
        return None
    row = conn.execute(sa.select(_table.c.finished_at, _table.c.faults, _table.c.facts)).first()
    return row and LastAudit(*row)


def forget(conn):
    """Drop the table, if it exists."""
    _table.drop(conn, checkfirst=True)
