"""If a test fails, a process that forks leaves an unserved port, or loses its counts."""

import subprocess
import sys
import textwrap
import time
from unittest import mock

import fixtures
import psutil
import testtools

from placement.metrics import exporter
from placement.metrics.directory import Directory
from tests import server

PROCESS = """\
import os, sys, time
from placement import cost, metrics
from placement.metrics.ledger_gauges import State

class Ledger:
    state = lambda self: State(True, None)
    continue_in_child = lambda self: None

port, directory = sys.argv[1:]
requests = metrics.Requests()
exporter = metrics.Exporter(requests, Ledger(), f"127.0.0.1:{port}", directory)
count = lambda: requests.add("/", "GET", "200", cost.begin())
"""
# The module that uWSGI provides.
UWSGI = """\
import ctypes, sys, types
uwsgi = sys.modules["uwsgi"] = types.SimpleNamespace(worker=0, worker_id=lambda: uwsgi.worker)
"""
REQUESTS = (
    "placement_requests",
    "placement_requests_total",
    (("route", "/"), ("method", "GET"), ("status", "200")),
)


class Processes(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.port = server.free_port()
        self.directory = self.useFixture(fixtures.TempDir()).path

    def start(self, script, before=""):
        script = before + PROCESS + textwrap.dedent(script)
        command = [sys.executable, "-c", script, str(self.port), self.directory]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_until(self, is_so):
        deadline = time.monotonic() + 30
        while not is_so():
            self.assertLess(time.monotonic(), deadline, "not before long")
            time.sleep(0.05)

    def listeners(self):
        return {
            conn.pid
            for conn in psutil.net_connections("tcp4")
            if conn.laddr.port == self.port and conn.status == psutil.CONN_LISTEN
        }

    def counted(self):
        directory = Directory(self.directory)
        self.addCleanup(directory.close)
        return directory.total().counters.get(REQUESTS)

    def test_a_process_that_does_not_fork_listens_for_scrapes_before_its_first_request(self):
        process = self.start("exporter.begin_unless_forked(); time.sleep(60)")
        self.wait_until(lambda: self.listeners() == {process.pid})

    def test_a_forked_child_listens(self):
        process = self.start("""
            exporter.begin_unless_forked()
            if os.fork():
                os.wait()
            else:
                time.sleep(10)
        """)
        self.wait_until(self.listeners)
        self.assertNotIn(process.pid, self.listeners())
        self.wait_until(lambda: process.poll() is not None)

    def test_a_child_forked_late_listens_and_keeps_nothing_open_of_its_parent(self):
        process = self.start("""
            exporter.begin()
            time.sleep(2.5)
            if os.fork():
                time.sleep(60)
            else:
                time.sleep(15)
        """)
        self.wait_until(lambda: self.listeners() == {process.pid})
        [of_parent] = Directory(self.directory).names()
        self.wait_until(lambda: self.listeners() not in (set(), {process.pid}))
        self.wait_until(lambda: process.pid not in self.listeners())
        process.kill()
        process.wait()
        self.counted()
        self.assertNotIn(of_parent, Directory(self.directory).names())

    def test_workers_of_uwsgi_listen_and_keep_only_their_own_file_open(self):
        """uWSGI forks again later, for a worker that was killed, and Python does not notice."""
        process = self.start("""
            exporter.begin_unless_forked()
            time.sleep(3)
            for uwsgi.worker in (1, 2):
                if not ctypes.PyDLL(None).fork():
                    uwsgi.post_fork_hook()
                    time.sleep(60)
            time.sleep(60)
        """, before=UWSGI)
        self.wait_until(lambda: len(self.listeners()) == 2)
        workers = [psutil.Process(pid) for pid in self.listeners()]
        self.assertEqual([process.pid] * 2, [worker.ppid() for worker in workers])
        self.wait_until(lambda: [len(self.files(worker)) for worker in workers] == [1, 1])
        self.assertEqual([], self.files(psutil.Process(process.pid)))
        for worker in workers:
            worker.kill()
        self.wait_until(lambda: not self.names_after_a_scrape())

    def names_after_a_scrape(self):
        self.counted()
        return Directory(self.directory).names()

    def files(self, process):
        return [file for file in process.open_files() if file.path.startswith(self.directory)]

    def test_a_worker_of_uwsgi_that_loads_the_application_itself_listens(self):
        script = "uwsgi.worker = 1; exporter.begin_unless_forked(); time.sleep(60)"
        process = self.start(script, before=UWSGI)
        self.wait_until(lambda: self.listeners() == {process.pid})

    def test_a_mule_of_uwsgi_does_not_listen_and_other_hooks_are_called(self):
        process = self.start("""
            exporter.begin_unless_forked()
            uwsgi.post_fork_hook()
            time.sleep(2)
        """, before=UWSGI + 'uwsgi.post_fork_hook = lambda: print("as before")\n')
        self.wait_until(lambda: self.listeners() or process.poll() is not None)
        self.assertEqual(set(), self.listeners())
        self.assertEqual("as before\n", process.stdout.read())

    def test_a_process_writes_its_counts_when_it_ends(self):
        process = self.start("exporter.begin(); time.sleep(3); count(); count()")
        process.wait()
        self.assertEqual(2, self.counted())


class Pauses(testtools.TestCase):
    """If a test fails, a full disk keeps a processor busy, or a client waits without need."""

    def test_the_thread_pauses_after_an_error_and_only_then(self):
        pauses, errors = [], [OSError("full"), None, None]

        def write():
            error = errors.pop(0)
            if not errors:
                thread.ended.set()
            if error is not None:
                raise error

        listener = mock.Mock()
        thread = exporter._Thread(listener, write, None, delay=0)
        with mock.patch.object(exporter.time, "sleep", pauses.append):
            thread.run()
        self.assertEqual([exporter.INTERVAL], pauses)
        self.assertEqual(2, listener.serve.call_count)
