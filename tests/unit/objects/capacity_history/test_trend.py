"""When a class will be full. If a test fails, hosts are bought too late, or needlessly."""

import testtools
from hypothesis import given, settings
from hypothesis import strategies as st

from placement.objects.capacity_history import trend
from placement.objects.capacity_history.trend import NoTrend, Trend
from tests import properties


def days(*used):
    """Return the argument of estimate() for the usage of days, oldest first."""
    return dict(enumerate(reversed(used)))


class Estimate(testtools.TestCase):
    def test_a_steady_pace_has_no_range(self):
        found = trend.estimate(days(*range(100, 170, 10)), 160, 400)
        self.assertEqual(Trend(7, 10, 10, 10, 24, 24, 24), found)

    def test_fewer_than_seven_days_say_nothing(self):
        self.assertIs(NoTrend.TOO_FEW_DAYS, trend.estimate(days(*range(6)), 5, 100))
        self.assertIs(NoTrend.TOO_FEW_DAYS, trend.estimate({}, 5, 100))

    def test_a_full_class_needs_no_estimate(self):
        self.assertIs(NoTrend.FULL, trend.estimate(days(*range(8)), 8, 8))
        self.assertIs(NoTrend.FULL, trend.estimate(days(*range(8)), 9, 8))

    def test_without_capacity_nothing_gets_full(self):
        self.assertIs(NoTrend.NO_CAPACITY, trend.estimate(days(*range(8)), 0, 0))

    def test_a_class_that_is_not_getting_fuller_is_never_full(self):
        for used in ([5] * 8, range(20, 10, -1)):
            found = trend.estimate(days(*used), 10, 100)
            self.assertEqual((None, None, None), (found.full_in, found.earliest, found.latest))

    def test_a_range_may_have_no_latest_day(self):
        found = trend.estimate(days(50, 40, 56, 42, 58, 40, 60, 45, 58, 47), 47, 100)
        self.assertLess(found.slowest, 0)
        self.assertIsNone(found.latest)
        self.assertLess(found.earliest, found.full_in)

    def test_an_estimate_of_more_than_ten_years_is_left_open(self):
        found = trend.estimate(days(*range(8)), 7, 8 + trend.HORIZON_DAYS)
        self.assertEqual((1, None), (found.per_day, found.full_in))

    def test_one_day_unlike_the_others_hardly_moves_the_pace(self):
        used = [10 * day for day in range(14)]
        used[5] = 900
        self.assertEqual(10, trend.estimate(days(*used), 130, 1000).per_day)

    def test_days_without_samples_are_left_out(self):
        used_by_day = {day: 100 - 2 * day for day in (0, 1, 2, 9, 10, 17, 25)}
        found = trend.estimate(used_by_day, 100, 200)
        self.assertEqual((7, 2, 50), (found.days, found.per_day, found.full_in))

    def test_the_range_is_that_of_sens_method(self):
        """The fifth of 21 slopes from each end: 21 - 1.645 * 6.66 = 2 * 5.02."""
        used = [0, 11, 18, 33, 38, 52, 57]
        slopes = sorted(
            (used[late] - used[early]) / (late - early)
            for early in range(7)
            for late in range(early + 1, 7)
        )
        found = trend.estimate(days(*used), 57, 1000)
        expected = (slopes[10], slopes[4], slopes[-5])
        self.assertEqual(expected, (found.per_day, found.slowest, found.fastest))

    usages = st.lists(st.integers(0, 10**9), min_size=7, max_size=28)

    @settings(properties.SETTINGS)
    @given(usages, st.integers(1, 10**10))
    def test_the_estimate_is_within_its_range(self, used, capacity):
        found = trend.estimate(days(*used), used[-1], capacity)
        if isinstance(found, NoTrend):
            self.assertIs(NoTrend.FULL, found)
            self.assertGreaterEqual(used[-1], capacity)
            return
        self.assertTrue(found.slowest <= found.per_day <= found.fastest)
        never = trend.HORIZON_DAYS + 1
        earliest, full_in, latest = (
            each or never for each in (found.earliest, found.full_in, found.latest)
        )
        self.assertTrue(1 <= earliest <= full_in <= latest)

    @settings(properties.SETTINGS)
    @given(usages, st.integers(0, 1000))
    def test_a_steady_growth_on_top_only_adds_to_the_pace(self, used, growth):
        plain = trend.estimate(days(*used), 0, 10**12)
        grown = trend.estimate(
            days(*(each + growth * day for day, each in enumerate(used))), 0, 10**12
        )
        for before, after in zip(plain[1:4], grown[1:4], strict=True):
            self.assertAlmostEqual(before + growth, after, delta=1e-3)
