"""The thread of a process that answers Prometheus.

The thread belongs in the processes that serve requests. As this project configures them, gunicorn
and uWSGI load the application in each of these processes. With other options, they load it in a
parent and then fork, and threads do not survive a fork. So a process that forks ends its exporter,
and the forked process begins its own. A process that serves a request also begins its exporter,
unless it already has.

uWSGI forks without telling Python. Its workers would inherit the open files of the master, and the
lock on a file would outlast the process that wrote the file. So the master never begins an
exporter. A worker begins its own when uWSGI reports the fork, or when it loads the application
itself (lazy-apps).
"""

import atexit
import logging
import os
import threading
import time
import weakref

from placement.background import processes
from placement.background.log_throttle import ThrottledLog
from placement.metrics import exposition
from placement.metrics.directory import Directory, counts_of
from placement.metrics.listener import Listener

# A process that forks does so within this many seconds of loading the application.
_SECONDS_TO_FORK = 1
# Counts are written to the directory each time this many seconds have passed. A killed process
# loses what it has counted since the last time.
INTERVAL = 2


class Exporter:
    """Exports the numbers of a Requests, a LedgerGauges and perhaps a FlavorGauges, on a port.

    address: as for Listener
    directory_path: the path of the directory in which processes add up their counts, or None
    Attributes: requests, flavors
    """

    def __init__(self, requests, ledger_gauges, address, directory_path=None, flavors=None):
        self.requests = requests
        self.flavors = flavors
        self._ledger_gauges = ledger_gauges
        self._address = address
        self._directory_path = directory_path
        # The Directory of this process, once the exporter has begun.
        self._directory = None
        self._thread = None
        self._pid = None
        self._lock = threading.Lock()
        _exporters.add(self)

    def begin_unless_forked(self):
        """Begin soon, unless this process forks first; under uWSGI, begin in each worker."""
        if processes.uwsgi is not None:
            processes.in_forked_workers(self.begin)
        if processes.uwsgi is None or processes.uwsgi.worker_id():
            self._begin(delay=_SECONDS_TO_FORK)

    def begin(self):
        """Begin, unless this process already has. Each request calls this."""
        if self._pid != os.getpid():
            self._begin(delay=0)

    def _begin(self, delay):
        """Start the thread, unless this process already has one. It first waits `delay` seconds."""
        with self._lock:
            if self._pid != os.getpid():
                if self._directory_path and not self._has_own_directory():
                    self._directory = Directory(self._directory_path)
                self._thread = _Thread(Listener(self._address), self.write, self.answer, delay)
                self._thread.start()
                self._pid = os.getpid()

    def end(self):
        """Make the thread stop soon; begin() begins another one."""
        self._pid = None
        if self._thread is not None:
            self._thread.ended.set()

    def write(self):
        """Write the counts, for other processes to add up."""
        if self._has_own_directory():
            self._directory.write(counts_of(self.requests.families()))

    def continue_in_child(self):
        """In a forked process, drop what belongs to the parent; begin if the parent had begun."""
        self._lock = threading.Lock()
        self._ledger_gauges.continue_in_child()
        if self.flavors is not None:
            self.flavors.continue_in_child()
        if self._thread is not None:
            self._thread.listener.close()
            self._thread = None
            if self._directory is not None:
                self._directory.close()
            self.begin_unless_forked()

    def _has_own_directory(self):
        # A server may fork without telling Python.
        return self._directory is not None and self._directory.pid == os.getpid()

    def answer(self):
        """Return the length of the metrics, their content type and their bytes in chunks."""
        others = () if self.flavors is None else self.flavors.families()
        return exposition.of(
            self.requests.families(), self._ledger_gauges.state(), self._directory, others
        )


class _Thread(threading.Thread):
    """Serves a Listener, and writes the counts now and then, until `ended` is set.

    write, answer: methods of the Exporter; delay: seconds before the thread does anything
    """

    def __init__(self, listener, write, answer, delay):
        super().__init__(daemon=True, name="metrics")
        self.listener = listener
        self.ended = threading.Event()
        self._write = write
        self._answer = answer
        self._delay = delay

    def run(self):
        # Nothing else would report an error in this thread, and the error may be temporary.
        unexpected = ThrottledLog(
            "The metrics have an unexpected error", expected=Exception, level=logging.ERROR
        )
        self.ended.wait(self._delay)
        while not self.ended.is_set():
            # attempt() returns None after an error.
            if not unexpected.attempt(self._serve):
                time.sleep(INTERVAL)
        self.listener.close()

    def _serve(self):
        self._write()
        self.listener.serve(INTERVAL, self._answer)
        return True


_exporters = weakref.WeakSet()


def _each(method):
    """Return a function without arguments that calls a method of each Exporter."""

    def call():
        for exporter in list(_exporters):
            method(exporter)

    return call


os.register_at_fork(
    after_in_parent=_each(Exporter.end), after_in_child=_each(Exporter.continue_in_child)
)
atexit.register(_each(Exporter.write))
