"""Statements are counted, and timed, as a part of the cost of a request; some are watched."""

import contextlib
import time

import sqlalchemy as sa

from placement import cost


def count_statements(engine, uncounted):
    """Add what an engine executes to the current Cost; statements in `uncounted` only in time."""

    def begin(_conn, _cursor, statement, _parameters, context, _executemany):
        if statement not in uncounted:
            cost.current().statements += 1
        context.placement_began = time.perf_counter()

    sa.event.listen(engine, "before_cursor_execute", begin)
    sa.event.listen(engine, "after_cursor_execute", _end)


@contextlib.contextmanager
def watched(conn, watch):
    """Context manager: call `watch` before each statement on a connection.

    What it raises is raised there. Not called before what only begins or ends a transaction.
    """

    def look(*_):
        watch()

    # Not before_cursor_execute: what is raised there counts as an error of the database.
    sa.event.listen(conn, "before_execute", look)
    try:
        yield conn
    finally:
        sa.event.remove(conn, "before_execute", look)


def _end(_conn, _cursor, _statement, _parameters, context, _executemany):
    cost.current().sql += time.perf_counter() - context.placement_began


# For all engines, as those come before the listeners of one: oslo.db's may be the last.
@sa.event.listens_for(sa.Engine, "handle_error")
def _fail(failure):
    """A statement that waits for a lock until it fails has taken the most time of all."""
    began = getattr(failure.execution_context, "placement_began", None)
    if began is not None:
        cost.current().sql += time.perf_counter() - began
