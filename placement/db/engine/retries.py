"""Trying again: after conflicts with other writers, and while the database cannot be reached.

Source: doc/how-to/database.rst.
"""

import functools
import itertools
import logging
import time

from oslo_db import api as oslo_db_api
from oslo_db import exception as db_exc
from sqlalchemy import exc as sa_exc

from placement import cost
from placement.db.derived_sums import misread_triggers
from placement.db.faults import codes, drivers, outages
from placement.db.faults.drivers import sqlstate

LOG = logging.getLogger(__name__)

# The seconds after which nothing is retried, unless the caller gives another number.
RETRY_SECONDS = 30

# A PostgreSQL error code.
_SERIALIZATION_FAILURE = "40001"

# The number of MariaDB's error for a row that has changed since the transaction read it, if
# innodb_snapshot_isolation is on.
_RECORD_HAS_CHANGED = 1020

# Outages in which the transaction stored nothing, and which may be over at the next attempt.
_REPEATABLE = (
    outages.Lost,
    outages.TablesChanged,
    outages.SessionChanged,
    misread_triggers.Misread,
)

# Reasons why a database cannot be reached now, although it may be soon.
_PASSING = {
    outages.Reason.UNREACHABLE,
    outages.Reason.BUSY,
    outages.Reason.SLOW,
    outages.Reason.CHANGED,
}


def can_be_repeated(error):
    """Return whether `error` aborted a transaction that may succeed when it is repeated.

    The cause is another transaction, a lost connection, a session that a proxy has changed, a
    trigger that will be read again, or a table that was changed meanwhile.
    """
    return isinstance(error, _REPEATABLE) or is_conflict(error)


def is_conflict(error):
    """Return whether `error` means that a transaction was aborted because of another one.

    The other one may be on another node of a Galera cluster; that looks like a deadlock.
    """
    if isinstance(error, db_exc.DBDeadlock):
        return True
    # oslo.db does not know these PostgreSQL errors nor, before 17.4.0, this MariaDB error.
    return isinstance(error, sa_exc.OperationalError) and (
        sqlstate(error.orig) in (_SERIALIZATION_FAILURE, codes.LOCK_NOT_AVAILABLE)
        or error.orig.args[:1] == (_RECORD_HAS_CHANGED,)
    )


def retry_on_conflict(function, retries, seconds=RETRY_SECONDS):
    """Wrap `function` so that it is called again after conflicts with other writers.

    It is called again up to `retries` times, and never later than `seconds` after the first call.
    Each call must be a transaction of its own. The waits between calls grow from 10 ms to 1 s.
    Raises: what the last call raised or, if that was a RetryRequest, its cause.
    """

    @functools.wraps(function)
    def run(*arguments, **keywords):
        attempts = _Attempts(functools.partial(function, *arguments, **keywords), seconds)
        return oslo_db_api.wrap_db_retry(
            max_retries=retries,
            retry_interval=0.01,
            max_retry_interval=1,
            inc_retry_interval=True,
            jitter=True,
            exception_checker=attempts.may_go_on,
        )(attempts.make_one)()

    return run


class _Attempts:
    """The calls to a function that is called again after conflicts with other writers."""

    def __init__(self, function, seconds):
        self._function = function
        self._deadline = time.monotonic() + seconds
        # The exception that the last call raised; None before there is one.
        self._last_failure = None

    def make_one(self):
        """Return what the function returns. Raises: what it raises.

        Once the time is up, the cause of a RetryRequest is raised in its place.
        """
        if self._last_failure is not None:
            cost.current().add_retry(self._last_failure)
        try:
            return self._function()
        except db_exc.RetryRequest as error:
            self._last_failure = error.inner_exc
            if self._is_overdue():
                raise error.inner_exc from error
            raise
        except Exception as error:
            self._last_failure = error
            raise

    def may_go_on(self, error):
        """Return whether the function may be called again after an error."""
        return can_be_repeated(error) and not self._is_overdue()

    def _is_overdue(self):
        return time.monotonic() >= self._deadline


def retry_while_unreachable(work, max_retries, retry_interval):
    """Return what `work` returns; call it again while the database cannot be reached.

    `work` is called up to `max_retries` times, but at least once. If `max_retries` is -1, there is
    no limit. There are `retry_interval` seconds between calls. Use this only when a process starts:
    a request should not wait so long.
    Raises: the DBConnectionError of the last call; drivers.BadParameters, at once.
    """
    most = "" if max_retries == -1 else f" of {max(max_retries, 1)}"
    for attempt in itertools.count(1):
        try:
            return work()
        except db_exc.DBConnectionError as error:
            drivers.raise_if_parameter_is_wrong(error)
            if outages.reason_of(error) not in _PASSING:
                raise
            line = str(error).partition("\n")[0]
            LOG.warning(
                "The database cannot be reached, attempt %d%s, one every %s seconds: %s",
                attempt,
                most,
                retry_interval,
                line,
            )
            if max_retries != -1 and attempt >= max_retries:
                raise
            time.sleep(retry_interval)
