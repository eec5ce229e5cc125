"""Moments are read from their text, or from how long ago they were."""

import datetime
import unittest

from placement.queries import moments

NOW = datetime.datetime(2026, 11, 26, 12)


class Moments(unittest.TestCase):
    def test_moments_are_in_utc_unless_they_name_an_offset(self):
        for text, moment in (
            ("2026-11-01", (2026, 11, 1)),
            ("2026-11-01T12:30", (2026, 11, 1, 12, 30)),
            ("2026-11-01 12:30:15", (2026, 11, 1, 12, 30, 15)),
            ("2026-11-01T12:30:00Z", (2026, 11, 1, 12, 30)),
            ("2026-11-01T12:30+02:00", (2026, 11, 1, 10, 30)),
            ("2026-11-01 12:30 02:00", (2026, 11, 1, 10, 30)),
            ("24h", (2026, 11, 25, 12)),
            ("1w", (2026, 11, 19, 12)),
        ):
            self.assertEqual(datetime.datetime(*moment), moments.parsed(text, NOW), text)

    def test_a_text_that_is_not_a_moment_is_an_error(self):
        for text in (
            *("", "yesterday", "30", "0d", "2026-13-01", "0001-01-01T00:00+10:00"),
            *("20261101", "2026-W44-7", "2026-11-01T12", "2026-11-01\n"),
        ):
            self.assertRaises(ValueError, moments.parsed, text, NOW)

    def test_an_offset_of_a_day_or_more_is_refused_in_plain_words(self):
        for offset in ("+24:00", "-25:00", "+01:60"):
            with self.assertRaisesRegex(ValueError, "it is not written like 2026-11-01 or"):
                moments.parsed(f"2026-11-01T12:00{offset}", NOW)
        moments.parsed("2026-11-01T12:00+23:59", NOW)
