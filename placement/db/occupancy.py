"""How many connections of an engine are in use, and how many threads wait for one."""

import contextlib
import threading

import sqlalchemy as sa


class Occupancy:
    """Attributes: in_use, waiting."""

    def __init__(self, engine):
        self.in_use = self.waiting = 0
        self._lock = threading.Lock()
        sa.event.listen(engine, "checkout", lambda *_: self._add(in_use=1))
        sa.event.listen(engine, "checkin", lambda *_: self._add(in_use=-1))

    @contextlib.contextmanager
    def wait(self):
        """A thread inside waits for a connection."""
        self._add(waiting=1)
        try:
            yield
        finally:
            self._add(waiting=-1)

    def _add(self, in_use=0, waiting=0):
        with self._lock:
            self.in_use += in_use
            self.waiting += waiting
