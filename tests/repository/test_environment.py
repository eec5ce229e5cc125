"""The tests pass whatever variables are set in the shell that runs them."""

import os
import pathlib
import subprocess
import sys

import testtools

REPOSITORY = pathlib.Path(__file__).parents[2]


class Environment(testtools.TestCase):
    def run_with_foreign_settings(self, *arguments):
        """Run Python as a developer whose shell has settings of a cloud and of a service."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=REPOSITORY,
            env=os.environ | {"OS_API__AUTH_STRATEGY": "noauth2", "OS_CLOUD": "production"},
            capture_output=True,
            text=True,
            check=False,
        )

    def test_no_setting_of_the_environment_reaches_a_test(self):
        code = "import tests, os; print([name for name in os.environ if name.startswith('OS_')])"
        self.assertEqual("[]\n", self.run_with_foreign_settings("-c", code).stdout)

    def test_a_setting_of_the_environment_does_not_replace_a_tested_default(self):
        name = (
            "tests.unit.conf.test_conf.ServiceConfiguration."
            "test_the_configuration_is_read_from_the_directory_that_the_environment_names"
        )
        ended = self.run_with_foreign_settings("-m", "unittest", name)
        self.assertEqual(0, ended.returncode, ended.stderr)
