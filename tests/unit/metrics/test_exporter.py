"""If one fails, a process that forks leaves a port that nobody serves, or its counts are lost."""

import subprocess
import sys
import textwrap
import time

import fixtures
import psutil
import testtools

from placement.metrics.directory import Directory
from tests import server

PROCESS = """\
import os, sys, time
from placement import cost, metrics
from placement.metrics.ledger import State

class Ledger:
    state = lambda self: State(True, None)
    continue_in_child = lambda self: None

port, directory = sys.argv[1:]
requests = metrics.Requests()
exporter = metrics.Exporter(requests, Ledger(), f"127.0.0.1:{port}", directory)
count = lambda: requests.add("/", "GET", "200", cost.begin())
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

    def start(self, script):
        command = [sys.executable, "-c", PROCESS + textwrap.dedent(script), str(self.port)]
        process = subprocess.Popen([*command, self.directory])
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

    def test_one_that_does_not_fork_listens_before_it_has_served_anything(self):
        process = self.start("exporter.begin_unless_forked(); time.sleep(60)")
        self.wait_until(lambda: self.listeners() == {process.pid})

    def test_of_one_that_forks_the_child_listens(self):
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

    def test_of_one_that_forks_late_the_child_listens_and_holds_nothing_that_the_parent_had(self):
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

    def test_what_it_has_counted_is_written_at_its_end(self):
        process = self.start("exporter.begin(); time.sleep(3); count(); count()")
        process.wait()
        self.assertEqual(2, self.counted())
