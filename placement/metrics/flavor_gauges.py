"""How often each flavor still fits, counted in a thread that takes a bounded share of a processor.

The thread reads the cloud once, and counts one flavor after another. After each, it rests long
enough to take no more than SHARE of a processor. So a round may take longer than the interval in a
large cloud; placement_flavors_age_seconds says how old the numbers are.
"""

import threading
import time
from typing import NamedTuple

from oslo_log import log
from prometheus_client import core

from placement.background.log_throttle import ThrottledLog
from placement.candidates.effort import Effort
from placement.flavors import counting, flavor_file

LOG = log.getLogger(__name__)

# The largest share of one processor to use.
SHARE = 0.05


class _Round(NamedTuple):
    """What was counted, and the moment of time.monotonic() at which the cloud was read."""

    moment: float
    fits: list[counting.FlavorFit]


class FlavorGauges:
    """The flavors of a file, counted at most once in `interval` seconds.

    most_effort: the most effort for counting one flavor, measured like [placement]
        max_search_effort
    """

    def __init__(self, database, path, interval, most_effort):
        self._database = database
        self._path = path
        self._interval = interval
        self._most_effort = most_effort
        self._flavors = []
        # Why the file cannot be read, and the last _Round.
        self._fault = None
        self._last = None
        # When the latest round began, a moment of time.monotonic(), and its thread.
        self._begun_at = None
        self._thread = None
        self._log = ThrottledLog("The flavors cannot be counted", expected=Exception)

    def continue_in_child(self):
        """In a forked process, forget the thread that only its parent has."""
        self._thread = self._begun_at = None

    def families(self):
        """Yield prometheus-client's Metrics of the last round; begin a new round if one is due."""
        if self._is_time_for_a_round():
            self._begun_at = time.monotonic()
            self._thread = threading.Thread(target=self._run, daemon=True, name="flavors")
            self._thread.start()
        yield core.GaugeMetricFamily(
            "placement_flavors_readable",
            "Whether the file of flavors could be read: 1, or 0.",
            value=self._fault is None,
        )
        if self._last is not None:
            yield from _families(self._last)

    def wait(self):
        """Wait for the end of the round that is under way, if there is one."""
        if self._thread is not None:
            self._thread.join()

    def _is_time_for_a_round(self):
        if self._thread is not None and self._thread.is_alive():
            return False
        return self._begun_at is None or time.monotonic() >= self._begun_at + self._interval

    def _run(self):
        self._read()
        self._log.attempt(self._count)

    def _read(self):
        """Read the file; if that fails, keep the flavors, and log the reason once."""
        try:
            self._flavors, self._fault = flavor_file.load(self._path), None
            return
        except flavor_file.UnreadableFlavors as error:
            fault = str(error)
        # Logged outside the except clause: inside, oslo.log would add the exception to the line.
        if fault != self._fault:
            LOG.error("The previous flavors stay: %s", fault)
        self._fault = fault

    def _count(self):
        """Count all flavors, and rest after each to use no more than SHARE of a processor."""
        work_began_at = time.thread_time()
        with self._database.reports() as conn:
            state = counting.read(conn, self._flavors)
        read_at = time.monotonic()
        fits = []
        for flavor in self._flavors:
            fits.append(counting.count(state, flavor, Effort(self._most_effort)))
            work_began_at = _rest(work_began_at)
        self._last = _Round(read_at, fits)


def _rest(begun_at):
    """Sleep after work that began at `begun_at`; return the time.thread_time() after the sleep."""
    # So the work takes SHARE of the whole time, and the sleep takes the rest.
    time.sleep((time.thread_time() - begun_at) * (1 / SHARE - 1))
    return time.thread_time()


def _families(last):
    """Yield the families of metrics for a _Round."""
    meaning = "How many more instances of a flavor fit."
    fit = core.GaugeMetricFamily("placement_flavor_fit", meaning, labels=("flavor",))
    # The name that os-capacity uses, which dashboards know.
    free = core.GaugeMetricFamily(
        "openstack_free_capacity_by_flavor_total", meaning, labels=("flavor_name", "public")
    )
    for flavor, number in ((flavor_fit.flavor, flavor_fit.times) for flavor_fit in last.fits):
        # The number is None if counting took too long.
        if number is not None:
            public = "" if flavor.is_public is None else str(flavor.is_public)
            fit.add_metric((flavor.name,), number)
            free.add_metric((flavor.name, public), number)
    yield from (fit, free)
    yield core.GaugeMetricFamily(
        "placement_flavors_age_seconds",
        "Seconds since the flavors were counted.",
        value=time.monotonic() - last.moment,
    )
