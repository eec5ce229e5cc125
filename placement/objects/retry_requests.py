"""The RetryRequest, which makes handler.py or Database.in_transaction start a transaction over.

A RetryRequest carries the answer to the client if no further attempt is made.
"""

import enum

from oslo_db import exception as db_exc

from placement import exception


class FasterWrite(enum.StrEnum):
    """What a faster writer has done to something that a claim depends on."""

    CONSUMER_CREATED = "a consumer was created"
    CONSUMER_CHANGED = "a consumer was changed"
    TYPE_REMOVED = "a consumer type was removed"
    OWNER_ADDED = "an owner or a type was added"
    OWNER_REMOVED = "an owner was removed"
    PROVIDER_DELETED = "a provider was deleted"
    INVENTORY_CHANGED = "an inventory was changed"
    NAME_CHANGED = "a name was changed"
    ALLOCATIONS_CHANGED = "its allocations were changed"


def retry():
    """Return the RetryRequest for a faster writer, whose changes the next attempt will see."""
    return db_exc.RetryRequest(exception.ConcurrentUpdate())


def retry_because(reason):
    """Return the RetryRequest of a claim; `reason` is a FasterWrite."""
    return db_exc.RetryRequest(exception.AllocationsChanged(reason=reason))
