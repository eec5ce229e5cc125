"""If a test fails, graphs show what was never counted, or metrics disturb the service."""

import contextlib
import fcntl
import itertools
import logging
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import textwrap
from unittest import mock

import fixtures
import prometheus_client
import testtools

from placement.metrics import directory

KILLED = """\
import os, signal, sys
from placement.metrics.directory import Counts, Directory
key = ("done", "done_total", ())
Directory(sys.argv[1]).write(Counts({key: 30.0}, {("doing", "doing", ()): 1.0}))
os.kill(os.getpid(), signal.SIGKILL)
"""
DONE = ("done", "done_total", (("route", "/"),))
DOING = ("doing", "doing", ())


class _Story(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.path = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.log = self.useFixture(fixtures.FakeLogger(level=logging.WARNING))

    def process(self):
        """Return a Directory as another process has it: a lock belongs to an open file."""
        each = directory.Directory(self.path)
        self.addCleanup(each.close)
        return each

    def processes(self, *done):
        """Return processes that have written their counts.

        These are how much each has `done`, and one thing that each is doing now.
        """
        each = [self.process() for _ in done]
        for process, number in zip(each, done, strict=True):
            process.write(counts(number, 1))
        return each

    @contextlib.contextmanager
    def somebody_adds_the_dead(self):
        with open(self.path / "lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def files(self):
        return {path.name for path in self.path.iterdir()} - {"lock"}

    def lines(self):
        return self.log.output.splitlines()


def counts(done, doing=0):
    return directory.Counts({DONE: float(done)}, {DOING: float(doing)})


class Sums(_Story):
    def test_counters_and_gauges_of_processes_are_added_up(self):
        first, second = self.processes(3, 4)
        self.assertEqual(counts(7, 2), first.total())
        self.assertEqual(counts(7, 2), second.total())

    def test_unwritten_counts_are_not_reported_even_by_their_own_process(self):
        process = self.process()
        self.assertEqual(directory.Counts({}, {}), process.total())

    def test_counters_of_dead_processes_count_and_their_gauges_do_not(self):
        first, second, third = self.processes(3, 4, 5)
        second.close()
        self.assertEqual(counts(12, 2), first.total())
        third.close()
        self.assertEqual(counts(12, 1), first.total())

    def test_a_sum_does_not_fall_when_a_process_is_killed(self):
        script = [sys.executable, "-c", KILLED, str(self.path)]
        for number in range(1, 4):
            self.assertEqual(-9, subprocess.run(script).returncode)
            total = self.process().total()
            self.assertEqual([30.0 * number], list(total.counters.values()))
            self.assertEqual({}, total.gauges)
            self.assertEqual({"gone.json"}, self.files())

    def test_there_is_at_most_one_file_more_than_live_processes(self):
        [survivor] = self.processes(1)
        for _ in range(20):
            self.processes(1)[0].close()
            survivor.total()
        self.assertEqual(counts(21, 1), survivor.total())
        self.assertEqual(2, len(self.files()))

    def test_no_count_is_added_twice_if_a_process_is_killed_while_it_adds(self):
        first, second = self.processes(3, 4)
        second.close()
        kept = self.path / "kept"
        shutil.copy(self.path / second.file_name, kept)
        first.total()
        # This looks as if the process had ended before it removed the file.
        kept.rename(self.path / second.file_name)
        with self.somebody_adds_the_dead():
            self.assertEqual(counts(7, 1), self.process().total())
        self.assertEqual(counts(7, 1), self.process().total())
        self.assertNotIn(second.file_name, self.files())

    def test_a_scrape_while_dead_counts_are_added_has_the_right_sum(self):
        first, second = self.processes(3, 4)
        second.close()
        with self.somebody_adds_the_dead():
            self.assertEqual(counts(7, 1), self.process().total())

    def test_a_process_that_writes_during_a_scrape_does_not_look_dead(self):
        first, second = self.processes(3, 4)
        for number in range(50):
            second.write(counts(number))
            first.total()
        self.assertEqual(counts(52, 1), first.total())
        self.assertNotIn("gone.json", self.files())

    def test_a_process_that_writes_just_before_its_lock_is_checked_does_not_look_dead(self):
        first, second = self.processes(3, 0)
        lock, number = directory._lock, itertools.count(1)

        def write_and_lock(descriptor):
            second.write(counts(next(number), 1))
            return lock(descriptor)

        with mock.patch.object(directory, "_lock", write_and_lock):
            first.total()
        self.assertNotIn("gone.json", self.files())
        self.assertEqual(counts(3 + next(number) - 1, 2), first.total())

    def test_a_process_that_ends_while_files_are_read_is_not_missed(self):
        first, second, third = self.processes(3, 4, 5)
        read, was_read = first.read, []

        def read_and_end(name):
            content = read(name)
            if not was_read:
                # The file of the dead processes is read before all others.
                was_read.append(name)
                second.close()
                third.total()
            return content

        # A process that adds up the counts of dead processes reads in another way.
        with mock.patch.object(first, "fold"), mock.patch.object(first, "read", read_and_end):
            self.assertEqual(counts(12, 2), first.total())
        self.assertEqual(["gone.json"], was_read)

    def test_a_child_that_closes_the_file_does_not_unlock_it_for_its_parent(self):
        parent, other = self.processes(3, 4)
        if not (pid := os.fork()):
            parent.close()
            os._exit(0)
        os.waitpid(pid, 0)
        self.assertEqual(counts(7, 2), other.total())

    def test_a_file_is_not_written_if_nothing_has_changed(self):
        [process] = self.processes(3)
        [before] = [path.stat().st_ino for path in self.path.iterdir()]
        process.write(counts(3, 1))
        self.assertEqual([before], [path.stat().st_ino for path in self.path.iterdir()])


class Trouble(_Story):
    def check_one_warning(self, reason):
        [line] = self.lines()
        self.assertIn(reason, line)

    def test_on_a_full_file_system_the_last_sum_stays(self):
        first, second = self.processes(3, 4)
        with FileSizeLimit(20):
            for _ in range(3):
                first.write(counts(8))
                self.assertEqual(counts(7, 2), first.total())
            second.close()
            self.assertEqual(counts(7, 1), first.total())
        self.check_one_warning("File too large")
        first.write(counts(8, 1))
        self.assertEqual(counts(12, 1), first.total())
        self.assertEqual(2, len(self.files()))

    def test_a_missing_metrics_directory_is_created(self):
        self.path /= "below"
        [process] = self.processes(3)
        shutil.rmtree(self.path)
        process.write(counts(3, 1))
        self.assertEqual(counts(3, 1), process.total())
        self.assertEqual([], self.lines())

    def test_a_metrics_directory_that_is_created_is_private(self):
        self.path /= "below"
        self.processes(3)
        self.assertEqual(0o700, self.path.stat().st_mode & 0o777)

    def test_a_metrics_directory_that_cannot_be_created_is_logged_in_one_line(self):
        self.path /= "file"
        self.path.write_text("")
        for process in self.processes(3, 4):
            self.assertEqual(directory.Counts({}, {}), process.total())
        self.assertEqual(2, len(self.lines()))

    def test_a_malformed_file_is_ignored_and_removed_after_its_process_ends(self):
        for content in (b"", b"\xff" * 100, b"[]", b'{"counters": [[1]], "gauges": []}'):
            log = self.useFixture(fixtures.FakeLogger(level=logging.WARNING))
            first, second = self.processes(3, 4)
            (self.path / second.file_name).write_bytes(content)
            for _ in range(3):
                self.assertEqual(counts(3, 1), first.total())
            [line] = log.output.splitlines()
            self.assertIn(second.file_name, line)
            second.close()
            first.total()
            self.assertFalse((self.path / second.file_name).exists())
            shutil.rmtree(self.path)

    def test_a_malformed_sum_of_dead_processes_is_started_again(self):
        first, second = self.processes(3, 4)
        (self.path / "gone.json").write_bytes(b"no JSON")
        self.assertEqual(counts(7, 2), first.total())
        self.check_one_warning("gone.json")
        second.close()
        self.assertEqual(counts(7, 1), first.total())

    def test_foreign_files_in_the_metrics_directory_are_left_alone(self):
        [process] = self.processes(3)
        (self.path / "counter_17.db").write_bytes(b"\0" * 100)
        (self.path / f"{'0' * 32}.json").mkdir()
        (self.path / f"{'1' * 32}.json").symlink_to("/dev/zero")
        self.assertEqual(counts(3, 1), process.total())
        self.assertEqual([], self.lines())
        self.assertEqual(4, len(self.files()))

    def test_the_unfinished_file_of_a_killed_process_is_removed(self):
        [process] = self.processes(3)
        old, new = self.path / "old.new", self.path / "new.new"
        for path in (old, new):
            path.write_text("")
        os.utime(old, (0, 0))
        process.total()
        self.assertEqual((False, True), (old.exists(), new.exists()))


class FileSizeLimit(fixtures.Fixture):
    """No file can be longer than this many bytes, as on a file system that is full."""

    def __init__(self, size):
        super().__init__()
        self._size = size

    def _setUp(self):
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self._size, before[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, before)


class Library(testtools.TestCase):
    def test_the_library_maps_no_file_despite_its_environment_variable(self):
        shared = self.useFixture(fixtures.TempDir()).path
        script = textwrap.dedent("""\
            import prometheus_client
            from placement import cost
            from placement.metrics import Requests
            Requests().add("/", "GET", "200", cost.begin())
        """)
        for before in ("", "import prometheus_client\n"):
            subprocess.run(
                [sys.executable, "-c", before + script],
                env=os.environ | {"PROMETHEUS_MULTIPROC_DIR": shared},
                check=True,
            )
            self.assertEqual([], os.listdir(shared))

    def test_counters_and_histograms_grow_and_gauges_do_not(self):
        registry = prometheus_client.CollectorRegistry()
        for kind in (
            prometheus_client.Counter, prometheus_client.Histogram, prometheus_client.Gauge
        ):
            kind(kind.__name__.lower(), "-", registry=registry)
        found = directory.counts_of(registry.collect())
        self.assertEqual({"counter", "histogram"}, {family for family, *_ in found.counters})
        self.assertEqual([("gauge", "gauge", ())], list(found.gauges))
