"""If a test fails, old changes are kept forever, or one problem fills the log."""

import threading
from unittest import mock

import fixtures
import testtools

from placement.background import periodic, tidier


class Tidying(testtools.TestCase):
    def test_a_failure_is_logged_once_and_the_tidier_tries_again(self):
        log = self.useFixture(fixtures.FakeLogger())
        database, done, days = mock.Mock(), threading.Event(), []

        def tidy(apart, given):
            days.append(given)
            if len(days) == 3:
                done.set()
                # This ends the thread; nothing else does.
                raise SystemExit
            raise ValueError("no luck\nat all")

        begun = tidier.Tidier(database, 30)
        with (
            mock.patch.object(periodic, "time"),
            mock.patch.object(tidier.tidying, "tidy", tidy),
        ):
            begun.begin()
            begun.begin()
            self.assertTrue(done.wait(30))
        self.assertEqual([30] * 3, days)
        self.assertEqual("Old changes cannot be removed: no luck\n", log.output)
