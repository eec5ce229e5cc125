"""Servers of the tests that run at the same time do not take each other's ports."""

import subprocess
import sys

import testtools

from tests import server


class LastingPorts(testtools.TestCase):
    def test_another_process_is_given_other_ports(self):
        """If it fails, tests that run side by side fail now and then."""
        many = len(server.LASTING_PORTS) // 4
        mine = server.lasting_ports(many)
        script = f"from tests import server; print(*server.lasting_ports({many}))"
        others = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, check=True, text=True
        ).stdout
        self.assertEqual(many, len(mine))
        self.assertEqual(set(), set(mine).intersection(map(int, others.split())))
