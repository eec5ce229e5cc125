"""How full the cloud was, as a document, and the trend in words."""

from placement.candidates.why.plurals import counted
from placement.documents import FORMAT, moment
from placement.objects.capacity_history.trend import HORIZON_DAYS, NoTrend


def document(found, by):
    """Return the document of a CapacityHistory."""
    return FORMAT | {
        "by": by,
        "since": moment(found.since),
        "step": f"{found.step}h",
        "rows": [_row(each) for each in found.classes],
    }


def _row(each):
    return {
        "class": each.class_name,
        "summary": in_words(each.trend),
        "trend": None if isinstance(each.trend, NoTrend) else _trend(each.trend),
        "samples": [_sample(point) for point in each.points],
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


def _trend(found):
    return {
        "days": found.days,
        "per_day": found.per_day,
        "per_day_range": [found.slowest, found.fastest],
        "full_in_days": found.full_in,
        "full_in_days_range": [found.earliest, found.latest],
    }


def in_words(found):
    """Return a sentence about a Trend, or the reason why there is none."""
    if isinstance(found, NoTrend):
        return found.value
    if found.full_in is not None:
        return f"Full in about {counted(found.full_in, 'day')} at this pace{_range(found)}."
    if found.per_day > 0:
        pace = f"Not full within {HORIZON_DAYS // 365} years at this pace"
    else:
        pace = "Not getting fuller" if found.per_day == 0 else "Getting emptier"
    if found.earliest is None:
        return f"{pace}."
    return f"{pace}, and full in {counted(found.earliest, 'day')} at the earliest."


def _range(found):
    if found.latest is None:
        return f" ({found.earliest:,} at the earliest, or never)"
    if found.earliest == found.latest:
        return ""
    return f" ({found.earliest:,} to {found.latest:,})"
