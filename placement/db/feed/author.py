"""Who makes the changes in the current request or command, for the feed of changes.

Without an author, nothing is recorded.
"""

import contextlib
import contextvars
from typing import NamedTuple


class Author(NamedTuple):
    """Who makes changes, and with which request or command.

    operation  the method and the route of a request ("PUT /allocations/{consumer_uuid}"), or a
               command
    """

    operation: str
    request_id: str | None = None
    user_id: str | None = None
    project_id: str | None = None


_current = contextvars.ContextVar("author", default=None)
current = _current.get


@contextlib.contextmanager
def acting(author):
    """Context manager: changes inside it, on this thread, are recorded as made by an Author.

    If `author` is None, they are not recorded.
    """
    token = _current.set(author)
    try:
        yield
    finally:
        _current.reset(token)
