"""The trend in words. If a test fails, an operator reads something that the samples do not say."""

import testtools

from placement.documents import capacity_history
from placement.objects.capacity_history.trend import NoTrend, Trend


class Words(testtools.TestCase):
    def assert_says(self, sentence, per_day, full_in, earliest, latest):
        found = Trend(28, per_day, per_day - 1, per_day + 1, full_in, earliest, latest)
        self.assertEqual(sentence, capacity_history.in_words(found))

    def test_an_estimate_has_its_range(self):
        self.assert_says("Full in about 95 days at this pace (60 to 1,480).", 3, 95, 60, 1480)
        self.assert_says("Full in about 1 day at this pace (1 to 2).", 3, 1, 1, 2)

    def test_an_estimate_that_may_never_come_true_says_so(self):
        self.assert_says(
            "Full in about 95 days at this pace (60 at the earliest, or never).", 3, 95, 60, None
        )

    def test_a_class_that_may_never_be_full_has_its_earliest_day_if_there_is_one(self):
        self.assert_says(
            "Not full within 10 years at this pace; in the worst case, full in 3,000 days.",
            *(0.5, None, 3000, None),
        )
        self.assert_says("Not full within 10 years at this pace.", 0.5, None, None, None)
        self.assert_says("Not getting fuller.", 0, None, None, None)
        self.assert_says("Getting emptier.", -3, None, None, None)
        self.assert_says(
            "Getting emptier; in the worst case, full in 80 days.", -1, None, 80, None
        )

    def test_the_text_says_why_there_is_no_estimate(self):
        self.assertEqual(
            "There are samples for fewer than 7 days.",
            capacity_history.in_words(NoTrend.TOO_FEW_DAYS),
        )
