"""The command that runs the tests: a run that passes prints its progress and its summary."""

import os
import pathlib
import subprocess
import sys
import tempfile

import testtools

REPOSITORY = pathlib.Path(__file__).parents[2]
SUITE = """\
import logging, sys, unittest, warnings

class Suite(unittest.TestCase):
    def test_quiet(self):
        logging.getLogger("placement").info("said to nobody")

    def test_prints(self):
        print("printed by mistake")

    def test_logs(self):
        logging.getLogger("placement").warning("logged by mistake")

    def test_warns(self):
        warnings.warn("warned by mistake")

    def test_fails(self):
        self.fail("as planned")
"""


class Run(testtools.TestCase):
    def setUp(self):
        super().setUp()
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        (self.directory / "test_suite.py").write_text(SUITE)
        (self.directory / ".stestr.conf").write_text("[DEFAULT]\ntest_path=.\n")

    def run_tests(self, regex):
        """Run those tests of the suite that match. Return the exit status and the output."""
        run = subprocess.run(
            [sys.executable, "-m", "tests.run", regex],
            cwd=self.directory,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            text=True,
        )
        return run.returncode, run.stdout + run.stderr

    def test_a_run_that_passes_prints_only_its_progress_and_its_summary(self):
        self.assertEqual(
            (0, "loading the tests\n1 passed, 0 failed\n"), self.run_tests("quiet")
        )

    def test_output_logs_or_warnings_of_passing_tests_fail_the_run(self):
        for regex, said in (
            ("prints", "printed by mistake"),
            ("logs", "logged by mistake"),
            ("warns", "warned by mistake"),
        ):
            status, output = self.run_tests(regex)
            self.assertEqual((1, True), (status, said in output), output)
            self.assertEqual("1 passed, 1 failed", output.splitlines()[-1])

    def test_a_failure_is_printed_and_counted(self):
        status, output = self.run_tests("quiet|fails")
        self.assertEqual((1, True), (status, "as planned" in output), output)
        self.assertEqual("1 passed, 1 failed", output.splitlines()[-1])

    def test_a_run_of_no_tests_fails(self):
        status, output = self.run_tests("no_such_test")
        self.assertEqual((1, True), (status, "No test was run." in output), output)
