"""GET /metrics of servers with several processes, which die. See `make live`."""

import contextlib
import functools
import http.client
import os
import pathlib
import re
import signal
import sqlite3
import sys
import tempfile
import time
import unittest
import urllib.request
from concurrent import futures

import fixtures

from tests import databases, server
from tests.deployed.site import CHECKOUT

SETTINGS = pathlib.Path(CHECKOUT, "etc", "placement")
UWSGI = server.program("uwsgi")

REQUESTS = r'placement_requests_total\{[^}]*route="/resource_providers"[^}]*\} (\S+)'
IN_USE = r'placement_database_connections\{state="in_use"\} (\S+)'


class _TwoProcesses:
    """If one fails, a graph shows what one process does, and jumps when it is another one's turn.

    A subclass says by `serve` how they are served.
    """

    def setUp(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        self.shared = pathlib.Path(directory, "shared")
        self.shared.mkdir()
        self.file = os.path.join(directory, "placement.db")
        variable = fixtures.EnvironmentVariable("PROMETHEUS_MULTIPROC_DIR", str(self.shared))
        self.enterContext(variable)
        environment = server.environment(
            metrics__enabled="true", placement_database__connection=f"sqlite:///{self.file}"
        )
        self.url = self.enterContext(self.serve(environment, directory))

    def ask(self, path, method="GET"):
        request = urllib.request.Request(
            self.url + path,
            method=method,
            headers={"X-Auth-Token": "admin", "OpenStack-API-Version": "placement 1.39"},
        )
        with urllib.request.urlopen(request, timeout=100) as answer:
            return answer.read().decode()

    def told(self, pattern):
        """Return the values of a sample, as each of some scrapes tells it."""
        return {float(re.search(pattern, self.ask("/metrics"))[1]) for _ in range(10)}

    def wait_until_told(self, pattern, value):
        """Return when scrapes tell of nothing else: that a process is dead is known in a moment."""
        deadline = time.monotonic() + 10
        while (told := self.told(pattern)) != {value} and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual({value}, told)

    def pids(self):
        return {int(path.stem.rpartition("_")[2]) for path in self.shared.glob("gauge_*.db")}

    def test_every_scrape_tells_of_all_of_them(self):
        for _ in range(30):
            self.ask("/resource_providers")
        self.assertEqual({30.0}, self.told(REQUESTS))

    def test_what_they_have_done_counts_when_they_die_and_what_they_were_doing_does_not(self):
        for _ in range(30):
            self.ask("/resource_providers")
        with (
            contextlib.closing(sqlite3.connect(self.file)) as conn,
            futures.ThreadPoolExecutor() as executor,
        ):
            conn.execute("BEGIN IMMEDIATE")
            waiting = executor.submit(self.ask, "/traits/CUSTOM_SLOW", "PUT")
            self.wait_until_told(IN_USE, 1.0)
            for pid in self.pids():
                os.kill(pid, signal.SIGKILL)
            self.assertIsInstance(waiting.exception(), (OSError, http.client.HTTPException))
        self.assertEqual({30.0}, self.told(REQUESTS))
        self.wait_until_told(IN_USE, 0.0)


class UnderGunicorn(_TwoProcesses, unittest.TestCase):
    def serve(self, environment, directory):
        options = ["--config", str(SETTINGS / "gunicorn.conf.py"), "--workers", "2"]
        return server.gunicorn(server.APPLICATION, environment, directory, options)


@unittest.skipUnless(os.path.exists(UWSGI) or databases.REQUIRE_ALL, "there is no uWSGI")
class UnderUwsgi(_TwoProcesses, unittest.TestCase):
    @contextlib.contextmanager
    def serve(self, environment, directory):
        address = f"127.0.0.1:{server.free_port()}"
        text = (SETTINGS / "uwsgi.ini").read_text().replace("127.0.0.1:8778", address)
        copy = pathlib.Path(directory, "uwsgi.ini")
        copy.write_text(text.replace("/opt/placement", sys.prefix))
        log = os.path.join(directory, "uwsgi.log")
        command = [UWSGI, "--ini", str(copy), "--processes", "2"]
        with server.process(command, log, os.environ | environment) as process:
            url = f"http://{address}"
            server.wait_for(functools.partial(server.ask, url), process, log)
            yield url
