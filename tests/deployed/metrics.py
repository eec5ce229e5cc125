"""GET /metrics of a server with two processes, one of which ends. See `make live`."""

import os
import re
import signal
import tempfile
import time
import unittest
import urllib.request

import fixtures
import psutil

from tests import server

CONFIG = os.path.join(os.path.dirname(__file__), "../../etc/placement/gunicorn.conf.py")


class TwoProcesses(unittest.TestCase):
    """If it fails, a graph shows what one process does, and jumps when it is another one's turn."""

    def setUp(self):
        shared = self.enterContext(tempfile.TemporaryDirectory())
        variable = fixtures.EnvironmentVariable("PROMETHEUS_MULTIPROC_DIR", shared)
        self.enterContext(variable)
        self.url = self.enterContext(
            server.placement(["--config", CONFIG, "--workers", "2"], metrics__enabled="true")
        )

    def ask(self, path):
        request = urllib.request.Request(self.url + path, headers={"X-Auth-Token": "admin"})
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()

    def counted(self):
        """Return the requests for the list of providers, as each of some scrapes tells."""
        pattern = r'placement_requests_total\{[^}]*route="/resource_providers"[^}]*\} (\S+)'
        return {float(re.search(pattern, self.ask("/metrics"))[1]) for _ in range(10)}

    def test_every_scrape_tells_of_all_of_them(self):
        for _ in range(30):
            self.ask("/resource_providers")
        self.assertEqual({30.0}, self.counted())
        worker = self.workers()[0]
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        deadline = time.monotonic() + 30
        while len(self.workers()) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual({30.0}, self.counted())
        self.assertIn('placement_database_connections{state="in_use"} 0.0', self.ask("/metrics"))

    def workers(self):
        master = next(
            each for each in psutil.Process().children() if "gunicorn" in " ".join(each.cmdline())
        )
        return master.children()
