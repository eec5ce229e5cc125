"""Log a recurring problem only now and then."""

import logging
import time

LOG = logging.getLogger(__name__)

# The fewest seconds between two lines about the same problem.
INTERVAL = 600


class ThrottledLog:
    """Logs one kind of problem, at most once every INTERVAL seconds.

    what: the beginning of the log line, such as "Old changes cannot be removed"
    expected: the exceptions that `attempt` catches: a class, or a tuple of classes
    """

    def __init__(self, what, expected=OSError, level=logging.WARNING):
        self._what = what
        self._kinds = expected
        self._level = level
        self._logged_at = float("-inf")

    def attempt(self, work, *arguments, otherwise=None):
        """Return what `work` returns; if it raises, log that and return `otherwise`."""
        try:
            return work(*arguments)
        except self._kinds as error:
            failure = error
        # This is outside the except clause: inside, oslo.log would add the exception to the line.
        self.log(failure)
        return otherwise

    def log(self, error):
        """Log an exception or a reason, unless one was logged less than INTERVAL seconds ago."""
        now = time.monotonic()
        if now >= self._logged_at + INTERVAL:
            self._logged_at = now
            # The other lines of a SQLAlchemy error only describe SQLAlchemy.
            reason = str(error).partition("\n")[0] or type(error).__name__
            LOG.log(self._level, "%s: %s", self._what, reason)
