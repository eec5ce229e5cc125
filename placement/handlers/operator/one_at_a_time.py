"""Each process computes only one report or plan at a time.

In a large cloud, computing one takes seconds, and schedulers need the threads.
Source: doc/how-to/planning.rst.
"""

import functools
import threading

from placement import exception

# One request is served while at most one more waits: a worker has only a few threads.
_admitted = threading.BoundedSemaphore(2)
_turn = threading.Lock()
# A request that waits checks after each such interval whether its client has hung up.
_SECONDS = 0.5


def one_at_a_time(handler):
    """Decorate a handler: a request waits until no other is in a handler with this decorator.

    The decorator sets an attribute, `is_one_at_a_time`, for the description of the API.
    Raises: TooManyReports, if another request is waiting already.
    """

    @functools.wraps(handler)
    def take_turn(req):
        if not _admitted.acquire(blocking=False):
            raise exception.TooManyReports()
        try:
            while not _turn.acquire(timeout=_SECONDS):
                req.check_abort()
            try:
                return handler(req)
            finally:
                _turn.release()
        finally:
            _admitted.release()

    take_turn.is_one_at_a_time = True
    return take_turn
