"""Which tests execute which lines of the service, on SQLite, and how much CPU time they take.

A test is named as unittest names it. A story is one test, because its requests need earlier ones.
The record of each file of tests is kept until that file or the service changes.
"""

import functools
import gc
import hashlib
import json
import os
import pathlib
import unittest
from typing import NamedTuple

import coverage

from tests.mutants import REPOSITORY

RECORDED = REPOSITORY / "build" / "mutants" / "reach"
_FILES = (
    "gabbits/*.yaml",
    "unit/**/test_*.py",
    "functional/**/test_*.py",
    "repository/test_*.py",
    "clients/test_*.py",
)
_STORIES = "tests.test_gabbits"


class Test(NamedTuple):
    """How many CPU seconds one test takes, and which lines it executes: {path: lines}."""

    name: str
    seconds: float
    lines: dict

    @property
    def breadth(self):
        """How unspecific the test is: the more time and lines it takes, the less it says."""
        return self.seconds * sum(map(len, self.lines.values()))

    def executes(self, path, lines):
        return not self.lines.get(path, frozenset()).isdisjoint(lines)


def files():
    """Return the files of tests; those that catch the most faults come first.

    Shape: paths that are relative to the repository.
    """
    tests = REPOSITORY / "tests"
    return [
        str(path.relative_to(REPOSITORY))
        for pattern in _FILES
        for path in sorted(tests.glob(pattern))
    ]


def outdated():
    """Return the files of tests without a record of what they execute now."""
    return [path for path in files() if _record(path) is None]


def recorded():
    """Return all Tests that are recorded, beginning with fast ones that execute little."""
    records = filter(None, map(_record, files()))
    tests = [
        Test(name, seconds, {path: frozenset(lines) for path, lines in executed.items()})
        for record in records
        for name, seconds, executed in record["tests"]
    ]
    return sorted(tests, key=lambda test: test.breadth)


def record(path):
    """Run the tests of one file, and write down those that pass."""
    tests = names(path)
    caches = _caches()
    found = list(filter(None, (_observed(name, caches) for name in tests)))
    executed = {module for _, _, lines in found for module in lines}
    digests = {of: _digest(of) for of in [path, *sorted(executed)]}
    _file(path).parent.mkdir(parents=True, exist_ok=True)
    _file(path).write_text(json.dumps({"digests": digests, "tests": found}))


def _caches():
    """Return the cached functions of those modules of the service that are imported."""
    kind = type(functools.cache(len))
    found = (each for each in gc.get_objects() if isinstance(each, kind))
    # Filling an empty database takes long, and is the same for each test.
    return [
        each
        for each in found
        if each.__module__.startswith("placement.")
        and not each.__module__.startswith("placement.tests.")
    ]


def _observed(name, caches):
    """Run a test with empty caches, and return it as a Test; None if it fails."""
    for cached in caches:
        cached.cache_clear()
    recorder = coverage.Coverage(data_file=None, source=["placement"], config_file=False)
    started = _cpu_seconds()
    with recorder.collect():
        passed = run(name)
    seconds = round(_cpu_seconds() - started, 3)
    return Test(name, seconds, _executed(recorder.get_data())) if passed else None


def _cpu_seconds():
    """Return the CPU seconds that this process, and those it has waited for, have used."""
    return sum(os.times()[:4])


def names(path):
    """Return the names of the tests of a file."""
    if path.endswith(".yaml"):
        return [f"{_STORIES}.on_sqlite.{pathlib.Path(path).stem}"]
    module = path.removesuffix(".py").replace("/", ".")
    suite = unittest.defaultTestLoader.loadTestsFromName(module)
    return list(dict.fromkeys(test.id() for test in _flat(suite)))


def run(name):
    """Run a test. Return whether it passes."""
    result = unittest.TestResult()
    result.failfast = True
    _load(name).run(result)
    return result.wasSuccessful()


def _load(name):
    if not name.startswith(_STORIES):
        return unittest.defaultTestLoader.loadTestsFromName(name)
    # This imports the service, which must not happen before the fault is in it.
    from tests import test_gabbits

    *_, kind, story = name.split(".")
    return test_gabbits.suite(story, kind.removeprefix("on_"))


def _flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _flat(test)
        else:
            yield test


def _executed(data):
    return {
        os.path.relpath(path, REPOSITORY): sorted(data.lines(path))
        for path in data.measured_files()
        if data.lines(path)
    }


def _record(path):
    """Return the record of a file of tests; None if the file, or what it executes, has changed."""
    if not _file(path).exists():
        return None
    found = json.loads(_file(path).read_text())
    current = all(_digest(of) == digest for of, digest in found["digests"].items())
    return found if current else None


def _file(path):
    return RECORDED / f"{path.replace('/', '.')}.json"


@functools.cache
def _digest(path):
    path = REPOSITORY / path
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None
