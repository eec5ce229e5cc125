"""What a request has cost so far: its statements, and where its time went.

Each thread keeps the counts of the request that it serves, even while it streams the answer.
Outside requests, nothing reads the counts.
Source: doc/how-to/logs.rst.
"""

import contextlib
import contextvars
import time

# What the time of a request is spent on: see Cost.
STAGES = ("connection", "sql", "search", "rendering")


class Cost:
    """How long a request spends in each stage, how many statements it needs, and its outcome.

    statements  how many are sent to the database, except those that only begin or end a
                transaction
    connection  waiting for a connection to the database
    sql         waiting for the database to execute and commit. On SQLite, this leaves out some
                of the reading, because SQLite finds rows only as they are read
    search      finding allocation candidates, and processing the rows they are made of
    rendering   making the answer
    restarts_by_cause  {name of an exception: how often it made a transaction start over}
    candidate_count    how many candidates the answer has; None if it is not about candidates

    Stages do not overlap.
    """

    __slots__ = (
        *STAGES,
        "candidate_count",
        "restarts_by_cause",
        "started",
        "statements",
    )

    def __init__(self):
        self.started = time.perf_counter()
        self.statements = 0
        self.connection = self.sql = self.search = self.rendering = 0.0
        self.restarts_by_cause = {}
        self.candidate_count = None

    def add_retry(self, error):
        """Count that a transaction starts over because of an exception."""
        cause = type(error).__name__
        self.restarts_by_cause[cause] = self.restarts_by_cause.get(cause, 0) + 1

    def seconds(self):
        """Return the seconds since the request began."""
        return time.perf_counter() - self.started

    def seconds_without_database(self):
        return self.seconds() - self.connection - self.sql


_current = contextvars.ContextVar("cost", default=Cost())  # noqa: B039
current = _current.get


def begin():
    """Return a Cost for a new request; it is the current Cost from now on."""
    cost = Cost()
    _current.set(cost)
    return cost


@contextlib.contextmanager
def stage(name):
    """Context manager: add the time spent inside it, except on the database, to a stage.

    `name` is that of a stage: "search" or "rendering". Stages must not be nested.
    """
    cost = current()
    before = cost.seconds_without_database()
    try:
        yield
    finally:
        seconds = cost.seconds_without_database() - before
        setattr(cost, name, getattr(cost, name) + seconds)
