"""How full the cloud was, as a document, and the trend in words."""

from placement.candidates.why.plurals import counted
from placement.documents import FORMAT, moment
from placement.objects.capacity_history.trend import HORIZON_DAYS, NoTrend


def document(history, by):
    """Return the document of a CapacityHistory; `by` says how it is grouped, such as "class"."""
    return FORMAT | {
        "by": by,
        "since": moment(history.since),
        "step": f"{history.step}h",
        "rows": [_row(class_history) for class_history in history.classes],
    }


def _row(class_history):
    trend = class_history.trend
    return {
        "class": class_history.class_name,
        "summary": in_words(trend),
        # A NoTrend says why there is no estimate.
        "trend": None if isinstance(trend, NoTrend) else _trend(trend),
        "samples": [_sample(point) for point in class_history.points],
    }


def _sample(point):
    return {
        "at": moment(point.taken_at),
        "hosts": point.hosts,
        "capacity": point.capacity,
        "used": point.used,
        "largest_free": point.largest_free,
        "full": point.full_providers,
        "providers": point.providers,
    }


def _trend(trend):
    """Return the document of a Trend; `days` is how many days have samples."""
    return {
        "days": trend.days,
        "per_day": trend.per_day,
        "per_day_range": [trend.slowest, trend.fastest],
        "full_in_days": trend.full_in,
        "full_in_days_range": [trend.earliest, trend.latest],
    }


def in_words(trend):
    """Return a sentence about a Trend, or, for a NoTrend, the reason why there is no estimate.

    For instance: "Full in about 15 days at this pace (10 to 20)."

    The full_in, earliest and latest of a Trend are days from now; None means never, or later than
    HORIZON_DAYS.
    """
    if isinstance(trend, NoTrend):
        return trend.value
    if trend.full_in is not None:
        return f"Full in about {counted(trend.full_in, 'day')} at this pace{_range(trend)}."
    if trend.per_day > 0:
        pace = f"Not full within {HORIZON_DAYS // 365} years at this pace"
    else:
        pace = "Not getting fuller" if trend.per_day == 0 else "Getting emptier"
    if trend.earliest is None:
        return f"{pace}."
    return f"{pace}; in the worst case, full in {counted(trend.earliest, 'day')}."


def _range(trend):
    """Return the range of days until the class is full: " (10 to 20)"; "" for a single day."""
    if trend.latest is None:
        return f" ({trend.earliest:,} at the earliest, or never)"
    if trend.earliest == trend.latest:
        return ""
    return f" ({trend.earliest:,} to {trend.latest:,})"
