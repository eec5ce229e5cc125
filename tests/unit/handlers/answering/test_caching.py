import datetime
import types

import testtools

from placement.handlers.answering import caching

EARLIER = datetime.datetime(2024, 5, 1, 12)
LATER = datetime.datetime(2024, 5, 2, 12)


class CachingTest(testtools.TestCase):
    def test_last_modified_is_the_latest_known_time(self):
        self.assertEqual(LATER, caching.latest([EARLIER, None, LATER]))

    def test_last_modified_is_now_if_no_time_is_known(self):
        for moments in ([], [None]):
            before = caching.now()
            self.assertTrue(before <= caching.latest(moments) <= caching.now())

    def test_versions_before_1_15_get_no_caching_headers(self):
        old = types.SimpleNamespace(since=lambda behaviour: False)
        self.assertEqual({}, caching.headers(old, LATER))

    def test_versions_since_1_15_get_last_modified_and_no_cache(self):
        new = types.SimpleNamespace(since=lambda behaviour: True)
        self.assertEqual({"last_modified": LATER, "no_cache": True}, caching.headers(new, LATER))
        self.assertEqual({"last_modified": None, "no_cache": True}, caching.headers(new, None))
