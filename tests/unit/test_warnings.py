"""What Python warns about when our modules are imported. Libraries fix their own warnings."""

import os
import subprocess
import sys
import unittest

import placement

_IMPORT_ALL = """
import importlib, pkgutil, placement
for module in pkgutil.walk_packages(placement.__path__, "placement."):
    if ".migrations." not in module.name and not module.name.startswith("placement.wsgi"):
        importlib.import_module(module.name)
"""


class Warnings(unittest.TestCase):
    def test_no_warning_is_about_our_own_code(self):
        """If it fails, the service will not run with a later Python or library."""
        run = subprocess.run(
            [sys.executable, "-W", "always", "-c", _IMPORT_ALL],
            capture_output=True,
            text=True,
            check=True,
        )
        ours = os.path.dirname(placement.__file__)
        self.assertEqual([], [line for line in run.stderr.splitlines() if line.startswith(ours)])
