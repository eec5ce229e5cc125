"""Servers of the tests that run at the same time do not take each other's ports."""

import subprocess
import sys

import testtools

from tests import server


class FreePorts(testtools.TestCase):
    def test_two_processes_get_different_ports(self):
        """If it fails, tests that run side by side sometimes ask each other's servers."""
        many = 300
        mine = server.free_ports(many)
        script = f"from tests import server; print(*server.free_ports({many}))"
        others = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, check=True, text=True
        ).stdout
        self.assertEqual(many, len(mine))
        self.assertEqual(set(), set(mine).intersection(map(int, others.split())))
