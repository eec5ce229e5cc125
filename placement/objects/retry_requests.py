"""What makes a transaction start over: see Database.in_transaction.

A RetryRequest carries the answer to the client if no further attempt is made.
"""

from oslo_db import exception as db_exc

from placement import exception


def retry():
    """Return the RetryRequest for a faster writer, whose changes the next attempt will see."""
    return db_exc.RetryRequest(exception.ConcurrentUpdate())


def retry_because(reason):
    """Return the RetryRequest of a claim; `reason` says what a faster writer has changed."""
    return db_exc.RetryRequest(exception.AllocationsChanged(reason=reason))
