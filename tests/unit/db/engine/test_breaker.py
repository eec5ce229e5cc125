import threading
import time
from concurrent import futures

import testtools

from placement.db.engine import breaker
from placement.db.faults import outages
from placement.db.faults.outages import Reason


class Trials(testtools.TestCase):
    """What happens after a connection could not be made in time."""

    def setUp(self):
        super().setUp()
        self.breaker = breaker.Breaker()

    def fail(self, reason):
        def attempt():
            with self.breaker.attempt():
                raise outages.Outage(reason, "no answer")

        self.assertRaises(outages.Outage, attempt)

    def attempt_elsewhere(self):
        """Return what happens to an attempt of another thread: None, or an Outage."""
        happened = []

        def attempt():
            try:
                with self.breaker.attempt():
                    happened.append(None)
            except outages.Outage as outage:
                happened.append(outage)

        thread = threading.Thread(target=attempt)
        thread.start()
        thread.join()
        return happened[0]

    def test_one_thread_tries_and_others_fail_soon(self):
        self.fail(Reason.SLOW)
        with self.breaker.attempt():
            self.assertEqual(Reason.SLOW, self.attempt_elsewhere().reason)
        # The connection was made.
        with self.breaker.attempt():
            self.assertIsNone(self.attempt_elsewhere())

    def test_threads_that_wait_for_a_trial_continue_when_it_succeeds(self):
        self.fail(Reason.SLOW)
        with futures.ThreadPoolExecutor(1) as threads:
            with self.breaker.attempt():
                waiting = threads.submit(self.attempt_elsewhere)
                time.sleep(0.1)
            self.assertIsNone(waiting.result())

    def test_another_thread_tries_when_one_has_failed(self):
        self.fail(Reason.SLOW)
        self.fail(Reason.SLOW)
        self.assertIsNone(self.attempt_elsewhere())

    def test_a_failure_without_delay_does_not_block_other_threads(self):
        self.fail(Reason.UNREACHABLE)
        with self.breaker.attempt():
            self.assertIsNone(self.attempt_elsewhere())
