"""How many connections of an engine are in use, and how many threads wait for one."""

import contextlib

import sqlalchemy as sa


def count(engine, in_use):
    """Keep a gauge, which has inc() and dec(), at the number of connections that are in use."""
    # An engine may have several gauges.
    counted = object()

    def take(_connection, record, _proxy):
        record.record_info[counted] = True
        in_use.inc()

    def put_back(_connection, record):
        # While there is no server to connect to, some are put back that were never taken.
        if record.record_info.pop(counted, False):
            in_use.dec()

    sa.event.listen(engine, "checkout", take)
    sa.event.listen(engine, "checkin", put_back)


def wait(engine, waiting):
    """Context manager: keep a gauge of prometheus-client while a thread waits for a connection.

    It does not, where one lies in the pool.
    """
    is_at_once = isinstance(engine.pool, sa.QueuePool) and engine.pool.checkedin() > 0
    return contextlib.nullcontext() if is_at_once else waiting.track_inprogress()
