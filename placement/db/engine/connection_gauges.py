"""Count connections in use and threads that wait for one, and notice when a pool is exhausted."""

import contextlib

import sqlalchemy as sa


def track_in_use(engine, in_use):
    """Let a gauge, which has inc() and dec(), show the number of connections in use."""
    # The key for this gauge in a connection's record: an engine may have several gauges.
    counted = object()

    def take(_connection, record, _proxy):
        record.record_info[counted] = True
        in_use.inc()

    def put_back(_connection, record):
        # While the server is down, the pool reports the return of connections that were never taken
        # out.
        if record.record_info.pop(counted, False):
            in_use.dec()

    sa.event.listen(engine, "checkout", take)
    sa.event.listen(engine, "checkin", put_back)


def track_waiting(engine, waiting):
    """Context manager: count a thread in the gauge `waiting` while it waits for a connection.

    `waiting` is a gauge of prometheus-client. If the pool has a free connection, the thread does
    not wait, and is not counted.
    """
    has_free_one = isinstance(engine.pool, sa.QueuePool) and engine.pool.checkedin() > 0
    return contextlib.nullcontext() if has_free_one else waiting.track_inprogress()


class Exhaustion:
    """Whether a pool is exhausted: a thread waited in vain, and no connection was put back since.

    A pool that is merely busy gives every thread a connection sooner or later.
    """

    def __init__(self, engine):
        self._engine = engine
        # How many connections were in use when a thread last waited in vain; None if one has been
        # put back since then, or if no thread has waited in vain.
        self._in_use = None
        sa.event.listen(engine, "checkin", self._end)

    def begin(self):
        """Note that a thread got no connection from the pool."""
        self._in_use = self._engine.pool.checkedout()

    def _end(self, _connection, _record):
        self._in_use = None

    @property
    def lasts(self):
        """Whether no connection is free, and no fewer are in use than when the exhaustion began."""
        if (in_use := self._in_use) is None:
            return False
        pool = self._engine.pool
        # A failed attempt to connect is no longer counted as in use, but puts no connection back.
        return pool.checkedin() == 0 and pool.checkedout() >= in_use
