import datetime
import types

import testtools

from placement.handlers.answering import caching

EARLIER = datetime.datetime(2024, 5, 1, 12)
LATER = datetime.datetime(2024, 5, 2, 12)


class CachingTest(testtools.TestCase):
    def test_the_latest_moment_that_is_known_counts(self):
        self.assertEqual(LATER, caching.latest([EARLIER, None, LATER]))

    def test_if_none_is_known_it_is_now(self):
        for moments in ([], [None]):
            before = caching.now()
            self.assertTrue(before <= caching.latest(moments) <= caching.now())

    def test_old_versions_get_no_headers(self):
        old = types.SimpleNamespace(since=lambda behaviour: False)
        self.assertEqual({}, caching.headers(old, LATER))

    def test_newer_ones_get_the_time_and_no_cache(self):
        new = types.SimpleNamespace(since=lambda behaviour: True)
        self.assertEqual({"last_modified": LATER, "no_cache": True}, caching.headers(new, LATER))
        self.assertEqual({"last_modified": None, "no_cache": True}, caching.headers(new, None))
