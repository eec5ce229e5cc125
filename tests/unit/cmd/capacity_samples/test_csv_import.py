"""Samples as CSV. If a test fails, a file with a mistake is imported into the history."""

import datetime

import testtools

from placement.cmd import mistakes
from placement.cmd.capacity_samples import csv_import
from placement.db.records.capacity_samples import ClassSums, HourSample

NOW = datetime.datetime(2026, 11, 24, 13, 20, tzinfo=datetime.UTC)


def at(hour, minute=0):
    return datetime.datetime(2026, 11, 24, hour, minute, tzinfo=datetime.UTC)


class Csv(testtools.TestCase):
    def read(self, *lines, header="At,Class,Used,Capacity"):
        return csv_import.read([header, *lines], "file", NOW)

    def assert_refused(self, reason, *lines, **header):
        error = self.assertRaises(mistakes.Mistake, self.read, *lines, **header)
        self.assertIn(reason, str(error))

    def test_an_hour_has_all_its_classes(self):
        self.assertEqual(
            [
                HourSample(at(11), None, [ClassSums("VCPU", 9, 2)]),
                HourSample(at(12), None, [ClassSums("VCPU", 9, 3), ClassSums("PGPU", 1, 0)]),
            ],
            self.read(
                "2026-11-24T12:00:00Z,VCPU,3,9",
                "2026-11-24T11:00:00,VCPU,2,9",
                "2026-11-24 13:00:00+01:00,PGPU,0,1",
            ),
        )

    def test_the_first_of_several_samples_of_an_hour_counts(self):
        self.assertEqual(
            [HourSample(at(12, 5), None, [ClassSums("VCPU", 9, 3)])],
            self.read("2026-11-24T12:35Z,VCPU,7,9", "2026-11-24T12:05Z,VCPU,3,9"),
        )

    def test_columns_may_be_in_any_order_and_case_and_others_are_ignored(self):
        header = "hosts,USED,class,largest_free,Colour,at,capacity,full,providers"
        (sample,) = self.read("4,3,VCPU,,red,2026-11-24T12:00Z,9,1,2", header=header)
        self.assertEqual(
            HourSample(at(12), 4, [ClassSums("VCPU", 9, 3, None, 1, 2)]), sample
        )

    def test_a_mistake_is_reported_with_its_line(self):
        good = "2026-11-24T12:00:00Z,VCPU,3,9"
        not_negative = f"file, line 3: Used must be a whole number up to {2**63 - 1}, and not '-3'."
        for reason, line in (
            ("file, line 3: 'yesterday' is not a date such as 2026-", "yesterday,VCPU,3,9"),
            ("file, line 3: 2026-11-24T14:00Z is in the future", "2026-11-24T14:00Z,VCPU,3,9"),
            ("file, line 3: 'vcpu' is not the name", "2026-11-24T12:00Z,vcpu,3,9"),
            (not_negative, "2026-11-24T12:00Z,VCPU,-3,9"),
            ("file, line 3: Used must be a whole number", "2026-11-24T12:00Z,VCPU,3.5,9"),
            ("file, line 3: Capacity must be a whole number", f"2026-11-24T12:00Z,VCPU,3,{2**63}"),
            ("file, line 3: Capacity is missing", "2026-11-24T12:00Z,VCPU,3"),
            ("file, line 3: '' is not a date such as 2026-", ",VCPU,3,9"),
        ):
            self.assert_refused(reason, good, line)

    def test_the_columns_that_are_needed_are_named(self):
        self.assert_refused("missing: At, Capacity", header="Class,Used")
        self.assert_refused("missing: At, Class, Used, Capacity", header="")

    def test_a_file_that_a_spreadsheet_has_saved_is_read(self):
        (sample,) = self.read("2026-11-24T12:00Z,VCPU,3,9", header="\ufeffAt,Class,Used,Capacity")
        self.assertEqual(at(12), sample.taken_at)

    def test_a_moment_beyond_the_calendar_is_refused(self):
        self.assert_refused("file, line 2: ", "0001-01-01T00:00:00+14:00,VCPU,3,9")
        self.assert_refused("file, line 2: ", "9999-12-31T23:59:59-14:00,VCPU,3,9")
