"""Plans that wait for each other."""

import threading

import testtools

from placement import exception
from placement.handlers.operator.one_at_a_time import one_at_a_time


class HungUp(Exception):
    pass


class Request:
    """A request that blocks in its handler until it may go on."""

    def __init__(self, has_hung_up=False):
        self.began = threading.Event()
        self.may_end = threading.Event()
        self._has_hung_up = has_hung_up
        self.outcome = None

    def check_abort(self):
        if self._has_hung_up:
            raise HungUp()

    def start(self):
        thread = threading.Thread(target=self._ask)
        thread.start()
        return thread

    def _ask(self):
        try:
            self.outcome = compute(self)
        except (HungUp, exception.TooManyReports) as error:
            self.outcome = type(error)


@one_at_a_time
def compute(req):
    req.began.set()
    req.may_end.wait(20)
    return "computed"


class InTurn(testtools.TestCase):
    """If a test fails, plans may occupy all threads of a worker."""

    def setUp(self):
        super().setUp()
        self.first = Request()
        self.addCleanup(self.first.start().join)
        self.addCleanup(self.first.may_end.set)
        self.assertTrue(self.first.began.wait(20))

    def waiting(self, request):
        """Start a request that waits for the first one; return its thread."""
        thread = request.start()
        # A refusal would come at once.
        thread.join(0.1)
        return thread

    def test_the_second_plan_waits_for_the_first(self):
        second = Request()
        thread = self.waiting(second)
        self.assertFalse(second.began.is_set())
        second.may_end.set()
        self.first.may_end.set()
        thread.join(20)
        self.assertEqual("computed", second.outcome)

    def test_the_third_plan_is_refused_and_takes_no_turn(self):
        second, third = Request(), Request()
        thread = self.waiting(second)
        third.start().join(20)
        self.assertEqual(exception.TooManyReports, third.outcome)
        second.may_end.set()
        self.first.may_end.set()
        thread.join(20)
        self.assertEqual("computed", second.outcome)

    def test_a_client_that_hangs_up_while_it_waits_makes_way_for_another(self):
        gone = Request(has_hung_up=True)
        gone.start().join(20)
        self.assertEqual(HungUp, gone.outcome)
        second = Request()
        thread = self.waiting(second)
        second.may_end.set()
        self.first.may_end.set()
        thread.join(20)
        self.assertEqual("computed", second.outcome)
