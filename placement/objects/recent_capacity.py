"""Capacity reports of large clouds, which take seconds to make and are reused while recent."""

import time
from typing import NamedTuple

from placement.objects import capacity_report
from placement.objects.capacity_report import CapacityReport

# A report on at least MANY_HOSTS is reused until it is KEPT_SECONDS old.
MANY_HOSTS = 100_000
KEPT_SECONDS = 60


class _Kept(NamedTuple):
    """A report, its `top`, and the moment of time.monotonic() just before it was made."""

    top: int
    since: float
    report: CapacityReport


def find_or_measure(database, by, top, check_abort=None):
    """Return a CapacityReport and its age in seconds: 0 if it was made now.

    Cost: that of capacity_report.measure, or nothing.
    """
    # {by: _Kept}.
    recent = database.caches.reports
    kept, now = recent.get(by), time.monotonic()
    if kept is not None and kept.top == top and now - kept.since < KEPT_SECONDS:
        return kept.report, int(now - kept.since)
    with database.reports(check_abort) as conn:
        report = capacity_report.measure(conn, by, top)
    if report.host_count >= MANY_HOSTS:
        recent[by] = _Kept(top, now, report)
    return report, 0
