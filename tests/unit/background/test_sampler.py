"""If a test fails, the history has gaps for no reason, or one problem fills the log."""

import os
import threading
from unittest import mock

import fixtures
import testtools

from placement.background import periodic, sampler


class Sampling(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
        self.database = mock.Mock()

    def run_for(self, looks, look):
        """Let a Sampler check this many times, as if minutes were short."""
        done = threading.Event()
        left = [looks]

        def counted(*arguments):
            if not left[0]:
                done.set()
                # This ends the thread; nothing else does.
                raise SystemExit
            left[0] -= 1
            return look(*arguments)

        begun = sampler.Sampler(self.database, None, 400)
        with (
            mock.patch.object(periodic, "time"),
            mock.patch.object(sampler.sampling, "sample_if_due", counted),
            # Each check is in another hour.
            mock.patch.object(sampler.Sampler, "_stored_hour", mock.PropertyMock(), create=True),
        ):
            begun.begin()
            begun.begin()
            self.assertTrue(done.wait(30))

    def test_a_failure_is_logged_once_and_the_sampler_checks_again(self):
        looks = []

        def fail(*arguments):
            looks.append(os.getpid())
            raise ValueError("no luck\nat all")

        self.run_for(3, fail)
        self.assertEqual(3, len(looks))
        self.assertEqual("The sums of the cloud cannot be stored: no luck\n", self.log.output)
        self.assertEqual(4, self.database.sibling().disconnect.call_count)
