"""Sparklines. If a test fails, an operator sees a peak where there was none."""

import datetime
import io
from unittest import mock

import testtools

from placement.cmd import display
from placement.cmd.capacity_samples import capacity_history

BEGIN = datetime.datetime(2026, 11, 1, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)


class Sparkline(testtools.TestCase):
    def drawn(self, *shares, encoding="utf-8"):
        output = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        with mock.patch("sys.stdout", output):
            return display.sparkline(shares, 1)

    def test_the_height_of_a_bar_is_its_share_of_the_maximum(self):
        self.assertEqual("▁▁▂▅█ █", self.drawn(0, 0.1, 0.125, 0.5, 1, None, 1.7))

    def test_a_sparkline_of_zeros_is_flat(self):
        self.assertEqual("▁▁", display.sparkline([0, 0], 0))

    def test_a_sparkline_is_ascii_if_the_output_cannot_encode_bars(self):
        self.assertEqual("_,+# ", self.drawn(0, 0.3, 0.7, 1, None, encoding="ascii"))


class Averages(testtools.TestCase):
    def test_each_part_of_the_time_has_its_average(self):
        shares = [(BEGIN, 0.2), (BEGIN + DAY / 2, 0.4), (BEGIN + 2 * DAY, 0.6)]
        found = capacity_history.averages(shares, BEGIN, BEGIN + 3 * DAY, 3)
        self.assertEqual([0.3, None, 0.6], [each and round(each, 9) for each in found])

    def test_the_last_sample_belongs_to_the_last_part(self):
        averages = capacity_history.averages([(BEGIN, 0.5)], BEGIN - DAY, BEGIN, 2)
        self.assertEqual([None, 0.5], averages)

    def test_a_single_moment_is_one_part(self):
        self.assertEqual([0.5, None], capacity_history.averages([(BEGIN, 0.5)], BEGIN, BEGIN, 2))
