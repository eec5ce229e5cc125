"""If a test fails, work in the background stops for good, or is done twice."""

import threading

import fixtures
import testtools

from placement.background.log_throttle import ThrottledLog
from placement.background.periodic import Periodic


class Periods(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch("placement.background.periodic.INTERVAL", 0))

    def test_beginning_twice_begins_one_thread(self):
        may_end = threading.Event()

        def work():
            may_end.wait(30)
            raise SystemExit

        self.addCleanup(may_end.set)
        periodic = Periodic("worker of this test", work, ThrottledLog("Work"))
        periodic.begin()
        periodic.begin()
        names = [thread.name for thread in threading.enumerate()]
        self.assertEqual(1, names.count("worker of this test"))

    def test_work_is_done_again_after_it_failed_and_after_it_succeeded(self):
        log = self.useFixture(fixtures.FakeLogger())
        done, turns = threading.Event(), []

        def work():
            turns.append(threading.get_ident())
            if len(turns) == 1:
                raise ValueError("no luck")
            if len(turns) == 3:
                done.set()
                raise SystemExit

        Periodic("worker of this test", work, ThrottledLog("It went wrong", ValueError)).begin()
        self.assertTrue(done.wait(30))
        self.assertEqual(1, len(set(turns)))
        self.assertEqual("It went wrong: no luck\n", log.output)
