"""How many connections of an engine are in use."""

import sqlalchemy as sa

_COUNTED = "placement_counted"


def count(engine, in_use):
    """Keep a gauge, which has inc() and dec(), at the number of connections that are in use."""

    def take(_connection, record, _proxy):
        record.record_info[_COUNTED] = True
        in_use.inc()

    def put_back(_connection, record):
        # While there is no server to connect to, some are put back that were never taken.
        if record.record_info.pop(_COUNTED, False):
            in_use.dec()

    sa.event.listen(engine, "checkout", take)
    sa.event.listen(engine, "checkin", put_back)
