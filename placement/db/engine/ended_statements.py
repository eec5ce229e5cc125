"""Statements that MariaDB ended, and answered as if they had found nothing.

When ``KILL QUERY`` or max_statement_time ends a statement, MariaDB usually reports an error. At
some moments it does not: then a DELETE of rows that exist says that it found none, and a SELECT has
no rows. Such an answer looks like a true one. An UPDATE that is ended always reports an error.
placement.db.sql.complete_rows is about a SELECT that returns a row with wrong values.
"""

import functools
import time

import sqlalchemy as sa

from placement.db.engine.transaction_kinds import TransactionKind, kind_of
from placement.db.faults import outages

# The server's clock may be adjusted, so the server may measure a little more time than we do.
_CERTAINLY_IN_TIME = 0.99
# The kinds of transactions that write, or that answer with what one statement finds. Searches and
# reports, which are READ transactions, often find nothing for good reason.
_CONFIRMED = set(TransactionKind) - {TransactionKind.READ}
_MAY_FIND_NOTHING = ("SELECT", "DELETE")


def notice(engine, timeouts):
    """Make an engine notice statements that a server has ended early without reporting an error.

    `timeouts` may be None.
    """
    if engine.dialect.name != "mysql":
        return
    if timeouts:
        limit = functools.partial(_check_time, timeouts.statement * _CERTAINLY_IN_TIME)
        sa.event.listen(engine, "after_cursor_execute", limit)
    sa.event.listen(engine, "after_cursor_execute", _confirm)


def _check_time(seconds, _conn, _cursor, _statement, _parameters, context, _executemany):
    """Raises: Outage, if the server may have ended the statement because of its time limit."""
    # statement_cost.py has noted when the statement began.
    if time.perf_counter() - context.placement_began >= seconds:
        raise outages.Outage(outages.Reason.SLOW, "A statement took as long as is allowed.")


def _confirm(conn, cursor, statement, parameters, _context, executemany):
    """Repeat a statement that found no row, in case the server ended it early.

    This is cheap, because it leaves out searches and reports, whose statements often find no row:
    they are READ transactions.
    """
    if (
        cursor.rowcount == 0
        and not executemany
        and statement.startswith(_MAY_FIND_NOTHING)
        and kind_of(conn) in _CONFIRMED
    ):
        cursor.execute(statement, parameters)
