"""What makes a claim start over."""

from oslo_db import exception as db_exc

from placement import exception


def retry_because(reason):
    """Return the RetryRequest for a faster writer, whose changes the next attempt will see.

    It carries the answer to the client if that attempt is not made.
    """
    return db_exc.RetryRequest(exception.AllocationsChanged(reason=reason))
