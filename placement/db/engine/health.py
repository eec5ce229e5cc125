"""Whether a database can serve, checked apart from requests."""

import logging
import os
import threading
from concurrent import futures

import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement.db import tables
from placement.db.engine.timeouts import Timeouts
from placement.db.faults import outages
from placement.db.faults.outages import Reason

LOG = logging.getLogger(__name__)

# A column of each table, and the columns that `db release` drops.
_COLUMNS = [
    *(next(iter(table.c)) for table in tables.metadata.sorted_tables),
    tables.inventories.c.capacity,
    tables.inventories.c.used,
    tables.resource_providers.c.counted_generation,
]
_READ_EVERY_TABLE = sa.select(
    *(sa.select(column).limit(1).scalar_subquery() for column in _COLUMNS)
)
# A statement that changes no row and locks none, but is refused where writing is not allowed.
_WRITE_NOTHING = sa.update(tables.resource_providers).where(sa.false()).values(generation=0)


class Probe:
    """Checks a database over a connection of its own, in a thread of its own.

    Callers that ask during a check get its result. So a database that does not answer costs only
    one thread, and callers wait only as long as they want to.
    """

    def __init__(self, database, seconds):
        """`seconds`: how long to wait for the database."""
        self._serving = database
        self._database = database.sibling(
            timeouts=Timeouts(connect=seconds, statement=seconds, lock=seconds),
            max_pool_size=1,
            max_overflow=0,
        )
        self._seconds = seconds
        self._threads = futures.ThreadPoolExecutor(1, "health")
        self._lock = threading.Lock()
        # The Future of the newest check.
        self._check = None

    def reason(self):
        """Return the Reason why the database cannot serve the process, or None if it can."""
        with self._lock:
            if self._check is None or self._check.done():
                self._check = self._threads.submit(_check, self._database)
            check = self._check
        try:
            reason = check.result(self._seconds)
        except futures.TimeoutError:
            return Reason.SLOW
        # The check does not use the pool that serves requests, so that pool may still be exhausted.
        return reason or (Reason.BUSY if self._serving.is_exhausted else None)


def _check(database):
    """Return the Reason why a database cannot serve, or None if it can."""
    try:
        if database.engine.dialect.name == "sqlite":
            return _check_file(database)
        with database.writer() as conn:
            conn.execute(_READ_EVERY_TABLE).all()
            conn.execute(_WRITE_NOTHING)
    except Exception as error:
        LOG.debug("The database cannot serve: %s", error)
        # Any error counts: a process that cannot reach its database is not healthy.
        is_known = isinstance(error, db_exc.DBConnectionError)
        return outages.reason_of(error) if is_known else Reason.UNREACHABLE
    return None


def _check_file(database):
    """Return the Reason why an SQLite file cannot serve, or None if it can.

    This does not take the lock that writers of the file wait for.
    """
    with database.reader() as conn:
        conn.execute(_READ_EVERY_TABLE).all()
    path = database.engine.url.database
    if not os.access(path, os.W_OK):
        return Reason.READ_ONLY
    file_system = os.statvfs(path)
    # A part of the free space may be reserved for root.
    is_root = os.geteuid() == 0
    free_blocks = file_system.f_bfree if is_root else file_system.f_bavail
    return None if free_blocks else Reason.FULL
