"""Work that is done roughly once a minute, in a thread of each serving process.

Requests cannot do this work: a service may be idle for days, and no request should have to wait.
Each process has such threads of its own, because any other process may end.
"""

import os
import random
import threading
import time

# Seconds between two turns, on average.
INTERVAL = 60


class Periodic:
    """A thread that calls `work` again and again, and logs its errors in `log`, a ThrottledLog."""

    def __init__(self, name, work, log):
        self._name = name
        self._work = work
        self._log = log
        # The id of the process that has started the thread.
        self._pid = None

    def begin(self):
        """Start the thread, unless this process has one: a forked process inherits none."""
        if self._pid != os.getpid():
            self._pid = os.getpid()
            threading.Thread(target=self._run, daemon=True, name=self._name).start()

    def _run(self):
        """Do the work again and again, about once a minute."""
        while True:
            # The thread also waits before its first turn: processes that start at the same time
            # should not work at the same time.
            time.sleep(random.uniform(0, 2 * INTERVAL))
            # Nothing else would report an error in this thread, and the error may be temporary.
            self._log.attempt(self._work)
