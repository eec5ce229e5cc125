"""Sampling how full the cloud is, once an hour, however many processes there are."""

import datetime
import threading
from concurrent import futures
from unittest import mock

import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement.background import capacity_sampler
from placement.db import engine, tables
from placement.db.records import capacity_samples
from placement.objects.capacity_history import sampling
from tests import databases
from tests.functional.worlds import claim, provider, take

NOW = datetime.datetime(2026, 11, 24, 13, 20, 5, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)
KEPT_DAYS = 400


@databases.on_each_database
class Samples:
    """If a test fails, an hour is missing from the history, or it has two samples."""

    def rows(self, table):
        with self.database.reader() as conn:
            return [tuple(row) for row in conn.execute(sa.select(table).order_by(*table.c))]

    def sample(self, moment=NOW, days=KEPT_DAYS, database=None):
        return sampling.sample_if_due(database or self.database, days, moment)

    def taken_at(self):
        return [moment for _, moment, _ in self.rows(tables.capacity_hours)]

    def test_the_first_look_in_an_hour_stores_the_sums(self):
        with self.database.writer() as conn:
            small = provider(conn, "small", {"VCPU": 8, "MEMORY_MB": 1024}, reserved=2)
            provider(conn, "large", {"VCPU": 16}, allocation_ratio=2.0, parent=small)
        take(self.database, claim({small: {"VCPU": 6}}))
        self.assertTrue(self.sample())
        self.assertFalse(self.sample(NOW + 39 * HOUR / 60))
        self.assertTrue(self.sample(NOW + 40 * HOUR / 60))
        hour = capacity_samples.hour_of(NOW)
        self.assertEqual(
            [
                (hour, datetime.datetime(2026, 11, 24, 13, 20, 5), 1),
                (hour + 1, datetime.datetime(2026, 11, 24, 14, 0, 5), 1),
            ],
            self.rows(tables.capacity_hours),
        )
        sums = [("MEMORY_MB", 1022, 0, 1022, 0, 1), ("VCPU", 38, 6, 32, 1, 2)]
        self.assertEqual(
            [(hour, *each) for each in sums] + [(hour + 1, *each) for each in sums],
            self.rows(tables.capacity_sums),
        )

    def test_an_empty_cloud_has_a_sample_without_sums(self):
        self.assertTrue(self.sample())
        self.assertFalse(self.sample())
        self.assertEqual([], self.rows(tables.capacity_sums))

    def test_one_of_several_processes_that_look_at_once_stores_the_sample(self):
        """All of them find that the hour has no sample, and add up before one of them stores it."""
        with self.database.writer() as conn:
            provider(conn, "host", {"VCPU": 8})
        processes = 4
        all_have_sums = threading.Barrier(processes)
        add_up = sampling._sample

        def slowly(*arguments):
            found = add_up(*arguments)
            all_have_sums.wait(30)
            return found

        def process(_):
            database = engine.connect(self.url)
            try:
                return self.sample(database=database)
            finally:
                database.engine.dispose()

        with (
            mock.patch.object(sampling, "_sample", slowly),
            futures.ThreadPoolExecutor(processes) as threads,
        ):
            stored = sorted(threads.map(process, range(processes)))
        self.assertEqual([False] * (processes - 1) + [True], stored)
        self.assertEqual(1, len(self.rows(tables.capacity_sums)))

    def test_after_a_sample_that_cannot_be_stored_as_a_whole_the_hour_can_still_be_sampled(self):
        with self.database.writer() as conn:
            provider(conn, "host", {"VCPU": 8})
        broken = capacity_samples.ClassSums("VCPU", None, 0)
        with mock.patch.object(sampling, "_class_sums", return_value=broken):
            self.assertRaises(db_exc.DBError, self.sample)
        self.assertEqual([], self.taken_at())
        self.assertTrue(self.sample())

    def test_samples_that_are_too_old_are_deleted_some_at_a_time(self):
        for age in range(9, 0, -1):
            self.assertTrue(self.sample(NOW - age * DAY))
        statements = self.useFixture(databases.Statements(self.database))
        with mock.patch.object(sampling, "_FORGOTTEN_AT_ONCE", 2):
            self.sample(days=3)
        deletes = [text for text in statements.seen if text.startswith("DELETE")]
        self.assertEqual(2 * 3, len(deletes))
        kept = [(NOW - age * DAY).replace(tzinfo=None) for age in (3, 2, 1, 0)]
        self.assertEqual(kept, self.taken_at())

    def test_a_sampler_asks_the_database_once_an_hour(self):
        """If the clock is set back to another hour, that one counts."""
        moments = [NOW, NOW + 39 * HOUR / 60, NOW + 40 * HOUR / 60, NOW]
        clock = mock.Mock(**{"datetime.now.side_effect": moments})
        sampler = capacity_sampler.Sampler(self.database, None, KEPT_DAYS)
        with (
            mock.patch.object(capacity_sampler, "datetime", clock),
            mock.patch.object(sampling, "sample_if_due") as asked,
        ):
            for _ in moments:
                sampler.sample()
        self.assertEqual(
            [NOW, NOW + 40 * HOUR / 60, NOW], [call.args[2] for call in asked.call_args_list]
        )
