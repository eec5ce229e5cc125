"""The metrics while the database or the disk fails. If a test fails, an outage goes unnoticed."""

import contextlib
import logging
import os
import re
import tempfile
import threading
import time
import urllib.request
from concurrent import futures
from unittest import mock

import fixtures as base_fixtures

from tests import databases, fixtures
from tests.functional.worlds import provider
from tests.unit.metrics.test_directory import FileSizeLimit

LOCK = {
    "mysql": "LOCK TABLES inventories WRITE",
    "postgresql": "LOCK TABLE inventories IN ACCESS EXCLUSIVE MODE",
}
UNLOCK = {"mysql": "UNLOCK TABLES", "postgresql": "ROLLBACK"}
# Two seconds, and some time for a busy machine.
SECONDS = 4


@databases.on_each_database
class TroubleWithTheLedger:
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(base_fixtures.FakeLogger(level=logging.WARNING))
        self.service = self.useFixture(
            fixtures.Application(self.kind, metrics__enabled=True, metrics__ledger_interval=0)
        )
        with self.service.database.writer() as conn:
            provider(conn, "host", {"VCPU": 8})

    @contextlib.contextmanager
    def locked(self):
        if self.kind == "sqlite":
            self.skipTest("readers of SQLite wait for nobody")
        engine = self.service.database.engine
        with contextlib.closing(engine.raw_connection()) as conn:
            conn.cursor().execute(LOCK[self.kind])
            yield
            conn.cursor().execute(UNLOCK[self.kind])

    def sample(self, name, text=None):
        found = re.search(rf"^{name} (\S+)$", text or self.service.scrape(), re.MULTILINE)
        return found and float(found[1])

    def is_readable(self, text=None):
        return self.sample("placement_ledger_readable", text)

    def looks(self):
        return [thread for thread in threading.enumerate() if thread.name == "ledger"]

    def wait_until_readable(self):
        deadline = time.monotonic() + 60
        while not self.is_readable() and time.monotonic() < deadline:
            time.sleep(0.1)

    def test_while_a_table_is_locked_the_last_gauges_are_served_with_their_age(self):
        before = self.service.scrape()
        self.assertEqual(1, self.is_readable(before))
        with self.locked():
            began = time.monotonic()
            text = self.service.scrape()
            self.assertLess(time.monotonic() - began, SECONDS)
            self.assertEqual(0, self.is_readable(text))
            self.assertIn('placement_class_capacity{resourcetype="VCPU"} 8.0', text)
            self.assertIn(
                'openstack_placement_resource_total{hostname="host",resourcetype="VCPU"} 8', text
            )
            older = self.sample("placement_ledger_age_seconds", text)
            self.assertGreater(self.sample("placement_ledger_age_seconds"), older)
            self.assertGreater(older, self.sample("placement_ledger_age_seconds", before))
        self.wait_until_readable()
        self.assertEqual(1, self.is_readable())

    def test_before_the_first_reading_all_other_metrics_are_served(self):
        with self.locked():
            text = self.service.scrape()
            self.assertEqual(0, self.is_readable(text))
            self.assertIsNone(self.sample("placement_ledger_age_seconds", text))
            self.assertIn("placement_requests", text)
        self.wait_until_readable()

    def test_many_scrapes_during_a_table_lock_make_only_one_thread_wait(self):
        self.service.ask("GET", "/")
        url = f"http://{self.service.configuration.metrics.listen}/metrics"
        already = len(self.looks())

        def scrape():
            began = time.monotonic()
            with urllib.request.urlopen(url, timeout=60) as answer:
                return time.monotonic() - began, self.is_readable(answer.read().decode())

        with self.locked(), futures.ThreadPoolExecutor(8) as executor:
            self.wait_until_listening(url)
            answers = list(executor.map(lambda _: scrape(), range(8)))
            self.assertEqual({0}, {is_readable for _, is_readable in answers})
            self.assertLess(max(seconds for seconds, _ in answers), SECONDS)
            self.assertLessEqual(len(self.looks()) - already, 1)
            self.assertEqual(200, self.service.ask("GET", "/").status_int)
        self.wait_until_readable()

    def wait_until_listening(self, url):
        for _ in range(600):
            with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=60):
                return
            time.sleep(0.1)

    def test_on_a_full_disk_the_last_gauges_are_served(self):
        self.assertEqual(1, self.is_readable())
        self.assertEqual([], self.lines_about_metrics())
        with FileSizeLimit(20):
            for _ in range(3):
                text = self.service.scrape()
                self.assertEqual(0, self.is_readable(text))
                self.assertIn('hostname="host"', text)
        self.assertEqual(1, self.is_readable())
        [line] = self.lines_about_metrics()
        # SQLite cannot write to its own files, either.
        reason = "File too large|disk I/O error"
        self.assertRegex(line, f"The metrics of the ledger cannot be read: .*({reason})$")

    def lines_about_metrics(self):
        return [line for line in self.log.output.splitlines() if "metrics" in line]

    def test_without_a_temporary_directory_all_other_metrics_are_served(self):
        with mock.patch.object(tempfile, "tempdir", "/nonexistent"):
            self.assertEqual(0, self.is_readable())

    def test_a_slow_scrape_gets_the_gauges_from_its_beginning(self):
        self.assertEqual(1, self.is_readable())
        length, _, chunks = self.service.exporter.answer()
        beginning = next(iter(chunks))
        with self.service.database.writer() as conn:
            provider(conn, "newer", {"VCPU": 8})
        for _ in range(3):
            self.assertIn('hostname="newer"', self.service.scrape())
        text = beginning + b"".join(chunks)
        self.assertEqual(length, len(text))
        self.assertIn(b'hostname="host"', text)
        self.assertNotIn(b"newer", text)

    def test_the_gauges_leave_no_temporary_file_behind(self):
        directory = self.useFixture(base_fixtures.TempDir()).path
        with mock.patch.object(tempfile, "tempdir", directory):
            for _ in range(5):
                self.service.scrape()
                self.assertEqual([], os.listdir(directory))
            here = [
                target
                for target in map(self.target, os.listdir("/proc/self/fd"))
                if target.startswith(directory)
            ]
            # The four files of the last reading.
            self.assertEqual(4, len(here))

    def target(self, descriptor):
        try:
            return os.readlink(f"/proc/self/fd/{descriptor}")
        except FileNotFoundError:
            return ""
