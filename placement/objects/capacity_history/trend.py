"""When a class would be full at the pace of the last weeks. Pure.

The pace is the median of the slopes between all pairs of days (the Theil-Sen estimator): a day
that is unlike the others hardly moves it. The range of the pace is a confidence interval of 90 %,
which leaves out the smallest and the largest slopes (P. K. Sen, Estimates of the Regression
Coefficient Based on Kendall's Tau, 1968).
"""

import itertools
import math
import statistics
from enum import Enum
from typing import NamedTuple

# The fewest days that an estimate needs, and the most that it looks at: whole weeks, because
# weekends differ.
FEWEST_DAYS = 7
MOST_DAYS = 28
# Beyond this, an estimate means nothing.
HORIZON_DAYS = 3650

# How much of the normal distribution is below the upper end of its middle 90 %.
_UPPER_END = 0.95


class NoTrend(Enum):
    """Why there is no estimate."""

    TOO_FEW_DAYS = f"There are samples for fewer than {FEWEST_DAYS} days."
    NO_CAPACITY = "There is no capacity."
    FULL = "It is full now."


class Trend(NamedTuple):
    """What follows from the samples of `days` days.

    per_day       the pace: how much the usage grows per day, in the unit of the class
    slowest, fastest  the range of the pace
    full_in       days until the capacity is used up at this pace; None if that takes longer than
                  HORIZON_DAYS, or never happens
    earliest, latest  the same at the fastest and the slowest pace
    """

    days: int
    per_day: float
    slowest: float
    fastest: float
    full_in: int | None
    earliest: int | None
    latest: int | None


def estimate(used_by_day, used, capacity):
    """Return a Trend, or a NoTrend that says why there is none.

    used_by_day: {number of a day, counted back from the newest: average usage on it}
    used, capacity: those of the newest sample. The capacity is assumed not to change.
    """
    if len(used_by_day) < FEWEST_DAYS:
        return NoTrend.TOO_FEW_DAYS
    if capacity <= 0:
        return NoTrend.NO_CAPACITY
    if used >= capacity:
        return NoTrend.FULL
    slowest, pace, fastest = _paces(used_by_day)
    full_in, earliest, latest = (
        _days_until(capacity - used, each) for each in (pace, fastest, slowest)
    )
    return Trend(
        days=len(used_by_day),
        per_day=pace,
        slowest=slowest,
        fastest=fastest,
        full_in=full_in,
        earliest=earliest,
        latest=latest,
    )


def _paces(used_by_day):
    """Return the smallest, the median and the largest plausible growth per day."""
    # The growth between each pair of days; the days are numbered backwards.
    slopes = sorted(
        (newer - older) / (older_day - newer_day)
        for (newer_day, newer), (older_day, older) in itertools.combinations(
            sorted(used_by_day.items()), 2
        )
    )
    left_out = _left_out_at_each_end(len(used_by_day), len(slopes))
    return slopes[left_out], statistics.median(slopes), slopes[-1 - left_out]


def _left_out_at_each_end(days, slopes):
    """Return how many slopes are too small to be plausible, and how many too large."""
    # Kendall's S is how many more slopes are positive than negative. This is its standard deviation
    # if there is no trend.
    deviation = math.sqrt(days * (days - 1) * (2 * days + 5) / 18)
    in_range = statistics.NormalDist().inv_cdf(_UPPER_END) * deviation
    # The number of the slope with which the range begins, counted from 1: so one less is left out.
    first_in_range = math.floor((slopes - in_range) / 2)
    return max(0, first_in_range - 1)


def _days_until(free, pace):
    """Return in how many days `free` is used up; None if not within HORIZON_DAYS."""
    if pace <= 0 or free > pace * HORIZON_DAYS:
        return None
    # Something is still free today, so the answer is never today.
    return max(1, round(free / pace))
