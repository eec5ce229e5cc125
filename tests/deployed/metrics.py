"""GET /metrics of servers with several processes, which die. See `make live`."""

import contextlib
import functools
import http.client
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from concurrent import futures

import psutil

from tests import databases, server
from tests.deployed.web_servers.site import CHECKOUT

SETTINGS = pathlib.Path(CHECKOUT, "etc", "placement")
UWSGI = server.program("uwsgi")

KILLS = int(os.environ.get("KILLS", "5"))
REQUESTS = r'placement_requests_total\{[^}]*route="/resource_providers"[^}]*\} (\S+)'
IN_USE = r'placement_database_connections\{state="in_use"\} (\S+)'


class _TwoProcesses:
    """If one of these fails, a graph shows only one process, and jumps when another one answers.

    The subclass's `serve` starts the two processes.
    """

    def setUp(self):
        self.directory = self.enterContext(tempfile.TemporaryDirectory())
        self.shared = pathlib.Path(self.directory, "shared")
        self.file = os.path.join(self.directory, "placement.db")
        listen = f"127.0.0.1:{server.free_port()}"
        self.metrics = f"http://{listen}/metrics"
        environment = server.environment(
            metrics__enabled="true",
            metrics__listen=listen,
            metrics__directory=str(self.shared),
            placement_database__connection=f"sqlite:///{self.file}",
        )
        # An operator's environment may still have a variable that earlier releases used to add up
        # counts.
        environment["PROMETHEUS_MULTIPROC_DIR"] = "/nonexistent"
        self.url = self.enterContext(self.serve(environment, self.directory))
        self.wait_until(lambda: len(self.pids()) == 2, "each worker listens")

    def ask(self, path, method="GET"):
        request = urllib.request.Request(
            self.url + path,
            method=method,
            headers={"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"},
        )
        with urllib.request.urlopen(request, timeout=100) as answer:
            return answer.read().decode()

    def scrape(self):
        with urllib.request.urlopen(self.metrics, timeout=100) as answer:
            return answer.read().decode()

    def values(self, pattern):
        """Return the set of values that a sample has in several scrapes."""
        found = (re.search(pattern, self.scrape()) for _ in range(10))
        return {float(each[1]) if each else 0.0 for each in found}

    def wait_until(self, is_so, what):
        deadline = time.monotonic() + 60
        while not is_so():
            self.assertLess(time.monotonic(), deadline, f"not before long: {what}")
            time.sleep(0.1)

    def wait_for_value(self, pattern, value):
        """Return when all scrapes show the value: each worker soon learns of the others."""
        self.wait_until(lambda: self.values(pattern) == {value}, f"{pattern} is {value}")

    def pids(self):
        """Return the pids of the workers that listen."""
        port = int(self.metrics.rpartition(":")[2].partition("/")[0])
        return {
            conn.pid for conn in psutil.net_connections("tcp4")
            if conn.laddr.port == port and conn.status == psutil.CONN_LISTEN
        }

    def test_every_scrape_counts_the_requests_of_all_workers(self):
        for _ in range(30):
            self.ask("/resource_providers")
        self.wait_for_value(REQUESTS, 30.0)

    def test_only_the_counters_of_a_killed_worker_remain(self):
        for _ in range(30):
            self.ask("/resource_providers")
        self.wait_for_value(REQUESTS, 30.0)
        with (
            contextlib.closing(sqlite3.connect(self.file)) as conn,
            futures.ThreadPoolExecutor() as executor,
        ):
            conn.execute("BEGIN IMMEDIATE")
            waiting = executor.submit(self.ask, "/traits/CUSTOM_SLOW", "PUT")
            self.wait_for_value(IN_USE, 1.0)
            before = self.pids()
            for pid in before:
                os.kill(pid, signal.SIGKILL)
            self.assertIsInstance(waiting.exception(), (OSError, http.client.HTTPException))
        self.wait_until(lambda: len(self.pids() - before) == 2, "others are there")
        self.assertEqual({30.0}, self.values(REQUESTS))
        self.wait_for_value(IN_USE, 0.0)
        # There are files of the live workers, one for all the dead ones, and one to lock the
        # latter. A file that is being written at this moment has no name yet.
        self.assertEqual(4, len([each for each in self.shared.iterdir() if each.suffix != ".new"]))

    def test_the_sum_never_falls_while_workers_are_killed(self):
        """If the sum fell, Prometheus would assume that the counter had started again at 0."""
        highest = 0.0
        for _ in range(KILLS):
            for _ in range(20):
                with contextlib.suppress(OSError, http.client.HTTPException):
                    self.ask("/resource_providers")
            with contextlib.suppress(ProcessLookupError):
                os.kill(min(self.pids()), signal.SIGKILL)
            for _ in range(10):
                with contextlib.suppress(OSError, http.client.HTTPException):
                    if found := re.search(REQUESTS, self.scrape()):
                        self.assertGreaterEqual(float(found[1]), highest)
                        highest = float(found[1])
            self.wait_until(lambda: len(self.pids()) == 2, "another is there")
        self.assertGreater(highest, 0)

    def test_silent_or_slow_clients_delay_no_scrape(self):
        address = urllib.parse.urlsplit(self.metrics)
        for number in range(40):
            client = socket.create_connection((address.hostname, address.port))
            self.addCleanup(client.close)
            if number % 2:
                client.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
        for _ in range(10):
            began = time.monotonic()
            self.scrape()
            self.assertLess(time.monotonic() - began, 2)

    def test_the_port_of_the_api_does_not_serve_metrics(self):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.ask("/metrics")
        self.assertEqual(404, refused.exception.code)


class UnderGunicorn(_TwoProcesses, unittest.TestCase):
    options = ()

    def serve(self, environment, directory):
        settings = ["--config", str(SETTINGS / "gunicorn.conf.py"), "--workers", "2"]
        options = [*settings, *self.options]
        return server.gunicorn(server.APPLICATION, environment, directory, options)

    def test_counters_of_workers_that_are_replaced_remain(self):
        """No request is missing, because each worker writes its counts before it ends."""
        before = self.pids()
        for _ in range(30):
            self.ask("/resource_providers")
        [master] = {psutil.Process(pid).ppid() for pid in before}
        os.kill(master, signal.SIGHUP)
        self.wait_until(lambda: len(self.pids() - before) == 2, "others are there")
        self.wait_until(lambda: not self.pids() & before, "the old ones are gone")
        self.assertEqual({30.0}, self.values(REQUESTS))

    def test_a_full_file_system_ends_no_worker_and_keeps_the_last_counts(self):
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(self.shared)]
        if subprocess.run(mount, capture_output=True).returncode:
            self.skipTest("only root can make a file system that is full")
        self.addCleanup(subprocess.run, ["umount", "--lazy", str(self.shared)], check=True)
        for _ in range(30):
            self.ask("/resource_providers")
        self.wait_for_value(REQUESTS, 30.0)
        workers = self.pids()
        rest = self.shared / "rest"
        with contextlib.suppress(OSError), open(rest, "wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        for _ in range(30):
            self.ask("/resource_providers")
        for _ in range(3):
            self.assertEqual({30.0}, self.values(REQUESTS))
            time.sleep(1)
        self.assertEqual(workers, self.pids())
        rest.unlink()
        self.wait_for_value(REQUESTS, 60.0)


class UnderGunicornThatForksWithTheApplication(UnderGunicorn):
    options = ("--preload",)

    # Forking changes nothing about these.
    test_silent_or_slow_clients_delay_no_scrape = None
    test_the_port_of_the_api_does_not_serve_metrics = None
    test_counters_of_workers_that_are_replaced_remain = None


class UnderGevent(UnderGunicorn):
    options = ("--worker-class", "gevent")
    test_the_port_of_the_api_does_not_serve_metrics = None
    # A request that waits for SQLite blocks its worker, which then cannot be scraped.
    test_only_the_counters_of_a_killed_worker_remain = None


@unittest.skipUnless(os.path.exists(UWSGI) or databases.REQUIRE_ALL, "there is no uWSGI")
class UnderUwsgi(_TwoProcesses, unittest.TestCase):
    settings = ()

    @contextlib.contextmanager
    def serve(self, environment, directory):
        address = f"127.0.0.1:{server.free_port()}"
        text = (SETTINGS / "uwsgi.ini").read_text().replace("127.0.0.1:8778", address)
        for old, new in self.settings:
            text = text.replace(old, new)
        copy = pathlib.Path(directory, "uwsgi.ini")
        copy.write_text(text.replace("/opt/placement", sys.prefix))
        log = os.path.join(directory, "uwsgi.log")
        command = [UWSGI, "--ini", str(copy), "--processes", "2"]
        with server.process(command, log, os.environ | environment) as process:
            url = f"http://{address}"
            server.wait_for(functools.partial(server.ask, url), process, log)
            yield url


class UnderUwsgiThatForksWithTheApplication(UnderUwsgi):
    settings = (("lazy-apps = true", "lazy-apps = false"),)
    # Forking changes nothing about these.
    test_silent_or_slow_clients_delay_no_scrape = None
    test_the_port_of_the_api_does_not_serve_metrics = None
