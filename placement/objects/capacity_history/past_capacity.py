"""How full the cloud was, and when each class would be full.

Source: doc/how-to/capacity.rst.
"""

import collections
import datetime
import itertools
import operator
from typing import NamedTuple

from placement import exception
from placement.db.records import capacity_samples
from placement.db.records.capacity_samples import Point
from placement.objects import capacity_report
from placement.objects.capacity_history import trend
from placement.objects.capacity_history.trend import NoTrend, Trend

# The most steps, and the most points of all classes together, in one answer.
MOST_STEPS = 1000
MOST_POINTS = 100_000

GROUPINGS = (capacity_report.BY_CLASS,)


class ClassHistory(NamedTuple):
    """The Points of a class, oldest first, and its trend."""

    class_name: str
    points: list[Point]
    trend: Trend | NoTrend


class CapacityHistory(NamedTuple):
    """The ClassHistories since a moment, with at most one point for each `step` hours."""

    since: datetime.datetime
    step: int
    classes: list[ClassHistory]


def step_for(hours, step=None):
    """Return the hours in a step: `step` or, if it is None, as few as MOST_STEPS allow.

    Raises: TooManySteps.
    """
    # Rounded up.
    least = -(-hours // MOST_STEPS)
    if step is not None and step < least:
        raise exception.TooManySteps(most=MOST_STEPS, least=f"{least}h")
    return step or least


def read(conn, hours, step, now, most=MOST_POINTS):
    """Return the CapacityHistory of the `hours` before `now`, a datetime in UTC.

    step: how many hours each point covers
    Cost: three queries.
    Raises: HistoryTooLong, if there are more than `most` points; None allows any number.
    """
    # The hour of `now` is one of the hours to read: hence the 1.
    first_hour = max(0, capacity_samples.hour_of(now) - hours + 1)
    # One point more than allowed shows that there are too many.
    points = capacity_samples.points(
        conn, first_hour, step_hours=step, limit=most and most + 1
    )
    if most and len(points) > most:
        raise exception.HistoryTooLong(most=most)
    trends = _trends(conn)
    classes = [
        ClassHistory(name, list(of_class), trends.get(name, NoTrend.NO_CAPACITY))
        for name, of_class in itertools.groupby(points, operator.attrgetter("class_name"))
    ]
    return CapacityHistory(capacity_samples.start_of(first_hour), step, classes)


def _trends(conn):
    """Return {class name: its Trend or NoTrend} of the classes in the newest sample."""
    newest = capacity_samples.newest_points(conn)
    if not newest:
        return {}
    # Class name -> {day: amount used}.
    used_by_day = collections.defaultdict(dict)
    hour = capacity_samples.hour_of(newest[0].taken_at)
    for use in capacity_samples.daily_use(conn, hour, trend.MOST_DAYS):
        used_by_day[use.class_name][use.day] = use.used
    return {
        point.class_name: trend.estimate(used_by_day[point.class_name], point.used, point.capacity)
        for point in newest
    }
