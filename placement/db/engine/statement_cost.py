"""Count and time the statements of a request, and abort the request between two of them."""

import contextlib
import time

import sqlalchemy as sa

from placement import cost


def count_statements(engine, uncounted):
    """Add the number of an engine's statements, and their time, to the current Cost.

    uncounted: statements that are timed, but not counted
    """

    def begin(_conn, _cursor, statement, _parameters, context, _executemany):
        if statement not in uncounted:
            cost.current().statements += 1
        context.placement_began = time.perf_counter()

    sa.event.listen(engine, "before_cursor_execute", begin)
    sa.event.listen(engine, "after_cursor_execute", _end)


@contextlib.contextmanager
def abortable(conn, check_abort):
    """Context manager: call `check_abort` before each statement on a connection.

    Exceptions of `check_abort` propagate to whoever executes the statement. It is not called when a
    transaction merely begins or ends.
    """

    def check(*_):
        check_abort()

    # The event is not before_cursor_execute: SQLAlchemy takes an exception raised there for a
    # database error.
    sa.event.listen(conn, "before_execute", check)
    try:
        yield conn
    finally:
        sa.event.remove(conn, "before_execute", check)


def _end(_conn, _cursor, _statement, _parameters, context, _executemany):
    cost.current().sql += time.perf_counter() - context.placement_began


# This listens to all engines, because such listeners run before those of a single engine, and so
# before oslo.db's.
@sa.event.listens_for(sa.Engine, "handle_error")
def _time_failure(failure):
    """Time failed statements, too: the slowest are those that wait for a lock until they fail."""
    began = getattr(failure.execution_context, "placement_began", None)
    if began is not None:
        cost.current().sql += time.perf_counter() - began
