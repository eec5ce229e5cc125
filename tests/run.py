"""Run all tests in parallel; print failures in full, and at the end a line with the counts.

Arguments are passed to `stestr run`: regular expressions choose tests. --quick, if it is the only
argument, runs the stories and the unit tests on SQLite, without the slowest. The exit status is 0
only if tests were run, none failed, and nothing was printed, logged or warned about outside of a
test's own details: a passing run prints only its progress and its summary.
"""

import collections
import os
import subprocess
import sys
import tempfile
import time

import subunit
import testtools

from tests import QUICK_ONLY

# This leaves out slow tests: those that start processes, wait, try everything, read the
# descriptions of all versions, or check whole histories of a simulated service.
QUICK = [
    "--exclude-regex",
    r"\.(wsgi|test_exporter|test_examples|test_mistakes|test_directory|test_listener)\."
    r"|\.(test_packing|test_warnings|test_imports|test_checker)\."
    r"|\.(Documents|Maps|Tools|Versions|History|Files|Texts|JudgeTest|FirstConnection)\."
    r"|AgainstReference",
    r"tests\.(unit|test_gabbits)\.",
]
STESTR = [sys.executable, "-m", "stestr", "run", "--subunit"]
PASSED = ("success", "xfail")
# The time between two lines of progress, if a line cannot be overwritten.
SECONDS = 30


class Report:
    """Prints the progress, and counts the tests. `take` is called with each test that ends."""

    def __init__(self):
        self.expected = 0
        self.verdicts = collections.Counter()
        self.reasons = collections.Counter()
        self._started = self._shown = time.monotonic()

    def begin(self):
        self._show("loading the tests")

    def take(self, test):
        if test["status"] == "exists":
            # Each worker lists its tests before it runs them. The total is shown a while after the
            # last one of a list: by then the other workers have listed theirs, too.
            self.expected += 1
            self._shown = time.monotonic()
            return
        verdict = _verdict(test["status"])
        self.verdicts[verdict] += 1
        if verdict == "skipped":
            self.reasons[_reason(test)] += 1
        if verdict == "failed":
            self.erase_progress()
            _print_failure(test)
        self._show_progress()

    def _show_progress(self):
        now = time.monotonic()
        if now - self._shown < (1 if sys.stdout.isatty() else SECONDS):
            return
        self._shown = now
        ran, failed = self.verdicts.total(), self.verdicts["failed"]
        self._show(
            f"ran {ran} of {self.expected} tests, {failed} failed, {now - self._started:.0f} s"
        )

    def _show(self, progress):
        self.erase_progress()
        print(progress, end="\r" if sys.stdout.isatty() else "\n", flush=True)

    def erase_progress(self):
        if sys.stdout.isatty():
            print("\x1b[K", end="")

    def summary(self):
        line = f"{self.verdicts['passed']} passed, {self.verdicts['failed']} failed"
        if self.verdicts["skipped"]:
            line += f", {self.verdicts['skipped']} skipped"
        return line


def main(arguments):
    if arguments == ["--quick"]:
        os.environ["PLACEMENT_TEST_SQLITE_ONLY"] = os.environ[QUICK_ONLY] = "1"
        arguments = QUICK
    report = Report()
    report.begin()
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        problem = _run(arguments, report, errors)
        report.erase_progress()
        errors.seek(0)
        if text := errors.read():
            print(f"--- standard error of all tests\n{text}---")
            problem = problem or "The tests wrote to standard error."
    if problem and not report.verdicts["failed"]:
        report.verdicts["failed"] = 1
    if problem:
        print(problem)
    for reason, count in sorted(report.reasons.items()):
        print(f"skipped: {count} x {reason}")
    print(report.summary())
    return 1 if report.verdicts["failed"] else 0


def _run(arguments, report, errors):
    """Run stestr, and pass its tests to a Report. Return what else went wrong, or None."""
    tests, other_output = testtools.StreamToDict(report.take), _Text()
    both = testtools.CopyStreamResult([tests, other_output])
    tests.startTestRun()
    command = [*STESTR, f"--concurrency={_workers()}", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as stestr:
        try:
            subunit.ByteStreamToStreamResult(stestr.stdout, non_subunit_name="stdout").run(
                both
            )
        except KeyboardInterrupt:
            stestr.terminate()
            return "The run was interrupted."
        finally:
            # Tests that began and did not end are passed to the report now.
            tests.stopTestRun()
    ran = report.verdicts.total()
    if not ran:
        return f"{other_output.text}\nNo test was run."
    if ran < report.expected:
        return f"{report.expected - ran} tests were not run."
    if stestr.returncode:
        return f"stestr ended with status {stestr.returncode}."
    return f"The tests printed:\n{other_output.text}" if other_output.text else None


def _workers():
    """Return how many processes run tests: more than processors if tests wait for servers."""
    return os.cpu_count() * (1 if os.environ.get("PLACEMENT_TEST_SQLITE_ONLY") else 2)


class _Text(testtools.StreamResult):
    """Text that is printed outside of any test."""

    text = ""

    def status(self, test_id=None, file_bytes=None, **_others):
        if test_id is None and file_bytes is not None:
            self.text += bytes(file_bytes).decode(errors="replace")


def _verdict(status):
    if status == "skip":
        return "skipped"
    # A test that never ended has also failed.
    return "passed" if status in PASSED else "failed"


def _reason(test):
    detail = test["details"].get("reason")
    return detail.as_text() if detail else "no reason given"


def _print_failure(test):
    print(f"--- {test['id']}: {test['status']}")
    for detail in test["details"].values():
        if detail.content_type.type == "text":
            print(detail.as_text())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
