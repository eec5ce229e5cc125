"""Run all tests in parallel, and end with one line that counts them.

Arguments are passed to `stestr run`. The exit status is 0 only if nothing failed.
"""

import collections
import io
import pathlib
import subprocess
import sys

import subunit
import testtools

STESTR = [sys.executable, "-m", "stestr"]
PASSED = ("success", "xfail")


def main(arguments):
    before = _runs()
    run = subprocess.run([*STESTR, "run", *arguments], check=False)
    if _runs() == before:
        # Nothing was recorded: a module that cannot be imported, say.
        print("0 passed, 1 failed")
        return 1
    results = _last_results()
    counts = collections.Counter(_verdict(test["status"]) for test in results)
    reasons = collections.Counter(_reason(test) for test in results if test["status"] == "skip")
    for reason, count in sorted(reasons.items()):
        print(f"skipped: {count} x {reason}")
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    if counts["skipped"]:
        line += f", {counts['skipped']} skipped"
    print(line)
    return 1 if run.returncode or counts["failed"] or not results else 0


def _runs():
    """How many runs stestr has recorded, as text; None before the first."""
    counter = pathlib.Path(".stestr/next-stream")
    return counter.read_text() if counter.exists() else None


def _last_results():
    """What stestr has recorded of its last run, a dict for each test."""
    stream = subprocess.run([*STESTR, "last", "--subunit"], stdout=subprocess.PIPE, check=False)
    results = []
    collector = testtools.StreamToDict(results.append)
    collector.startTestRun()
    subunit.ByteStreamToStreamResult(
        io.BytesIO(stream.stdout), non_subunit_name="output"
    ).run(collector)
    collector.stopTestRun()
    return [test for test in results if test["id"] != "output"]


def _verdict(status):
    if status == "skip":
        return "skipped"
    # A test that never came to an end has failed, too.
    return "passed" if status in PASSED else "failed"


def _reason(test):
    detail = test["details"].get("reason")
    return detail.as_text() if detail else "no reason given"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
