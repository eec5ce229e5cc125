"""The thread of a process that answers Prometheus.

It belongs into the processes that serve requests. gunicorn and uWSGI, as configured here, load the
application in each of these; with other options, in a process that they fork from, and threads do
not survive that. So a process that forks gives up what it has, the forked one begins, and whoever
serves a request begins, if that has not happened yet.

uWSGI forks without a word to Python. What its master had open, its workers would have, too, and the
lock on a file would outlast the process that wrote it. So the master never begins, and each worker
does when uWSGI says that it was forked, or has loaded the application itself (lazy-apps).
"""

import atexit
import logging
import os
import threading
import time
import weakref

from placement.metrics import exposition
from placement.metrics.directory import Directory, counts_of
from placement.metrics.listener import Listener
from placement.metrics.trouble import Trouble

try:
    # There is such a module within uWSGI only.
    import uwsgi
except ImportError:
    uwsgi = None

# How many seconds a process has to fork, after it has loaded the application.
_SECONDS_TO_FORK = 1
# Every so many seconds, what has been counted is written to the directory: so much is lost if the
# process is killed.
_INTERVAL = 2


class Exporter:
    """Exports what a Requests counts, and what LedgerGauges say, on a port.

    address: as a Listener has it
    directory: the path of that in which processes add up what they count, or None
    Attribute: requests
    """

    def __init__(self, requests, ledger, address, directory=None):
        self.requests = requests
        self._ledger = ledger
        self._address = address
        self._path = directory
        self._directory = None
        self._thread = None
        self._pid = None
        self._lock = threading.Lock()
        _exporters.add(self)

    def begin_unless_forked(self):
        """Begin in a moment, if this process does not fork before; under uWSGI, in each worker."""
        if uwsgi is not None:
            _call_in_forked_workers(self.begin)
        if uwsgi is None or uwsgi.worker_id():
            self._begin(_SECONDS_TO_FORK)

    def begin(self):
        """Begin, unless this process has. Each request calls it."""
        if self._pid != os.getpid():
            self._begin(0)

    def _begin(self, delay):
        with self._lock:
            if self._pid != os.getpid():
                if self._path and not self._has_own_directory():
                    self._directory = Directory(self._path)
                self._thread = _Thread(Listener(self._address), self.write, self.answer, delay)
                self._thread.start()
                self._pid = os.getpid()

    def end(self):
        """Stop within moments; begin() begins again."""
        self._pid = None
        if self._thread is not None:
            self._thread.ended.set()

    def write(self):
        """Write what has been counted, for others to add up."""
        if self._has_own_directory():
            self._directory.write(counts_of(self.requests.families()))

    def continue_in_child(self):
        """Begin in a process that was forked, if this was about to begin in its parent."""
        self._lock = threading.Lock()
        self._ledger.continue_in_child()
        if self._thread is not None:
            self._thread.listener.close()
            self._thread = None
            if self._directory is not None:
                self._directory.close()
            self.begin_unless_forked()

    def _has_own_directory(self):
        # A server may fork without a word to Python.
        return self._directory is not None and self._directory.pid == os.getpid()

    def answer(self):
        """Return what exposition.of() does."""
        return exposition.of(self.requests.families(), self._ledger.state(), self._directory)


class _Thread(threading.Thread):
    """Serves a Listener, and writes what has been counted now and then, until `ended` is set."""

    def __init__(self, listener, write, answer, delay):
        super().__init__(daemon=True, name="metrics")
        self.listener = listener
        self.ended = threading.Event()
        self._write = write
        self._answer = answer
        self._delay = delay

    def run(self):
        # Nobody else would notice, and it may pass.
        unexpected = Trouble("The metrics have an unexpected error", Exception, logging.ERROR)
        self.ended.wait(self._delay)
        while not self.ended.is_set():
            if not unexpected.attempt(self._serve):
                time.sleep(_INTERVAL)
        self.listener.close()

    def _serve(self):
        self._write()
        self.listener.serve(_INTERVAL, self._answer)
        return True


def _call_in_forked_workers(call):
    """Let uWSGI call it in each worker that it forks, after what it would call anyway."""
    before = getattr(uwsgi, "post_fork_hook", None)

    def hook():
        if before is not None:
            before()
        # Others, such as mules, serve no requests.
        if uwsgi.worker_id():
            call()

    uwsgi.post_fork_hook = hook


_exporters = weakref.WeakSet()


def _each(method):
    def call():
        for exporter in list(_exporters):
            method(exporter)

    return call


os.register_at_fork(
    after_in_parent=_each(Exporter.end), after_in_child=_each(Exporter.continue_in_child)
)
atexit.register(_each(Exporter.write))
