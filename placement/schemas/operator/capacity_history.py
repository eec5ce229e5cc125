"""GET /operator/capacity/history. Source: doc/how-to/capacity.rst, "History"."""

import functools

from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, expected, titled

_MOMENT = {"type": "string", "format": "date-time"}
_NUMBER = {"type": "number"}
_COUNT_OR_NULL = {"type": ["integer", "null"], "minimum": 0}

# How far a query without `since` looks back.
SINCE = "30d"


@functools.cache
def query(groupings, duration):
    """Return the validator of a query; `duration` is the pattern of since and step."""
    period = expected(
        f"a number of hours (h), days (d) or weeks (w), such as {SINCE}",
        {"type": "string", "pattern": f"^{duration}$", "format": "single-line"},
    )
    properties = {
        "by": {"type": "string", "enum": list(groupings)},
        "since": period,
        "step": period,
    }
    return validation.of_query(common.record(properties))


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/capacity/history."""
    row = {
        "class": described(meanings.CLASS, common.TEXT),
        "summary": described(
            "When the class would be full at this pace, or why there is no estimate, in words for "
            "people.",
            common.TEXT,
        ),
        "trend": described("The estimate; null if there is none.", _trend()),
        "samples": described(
            "The samples, oldest first; hours without a sample are missing.",
            {"type": "array", "items": titled("CapacitySample", _sample())},
        ),
    }
    class_history = titled("ClassHistory", common.open_record(row, required=row))
    properties = {
        "format": common.FORMAT,
        "by": described(meanings.GROUPED_BY, common.TEXT),
        "since": described("The beginning of the first hour.", _MOMENT),
        "step": described("The length of a step, such as 1h.", common.TEXT),
        "rows": described(
            "The history of each class.",
            {"type": "array", "items": class_history},
        ),
    }
    schema = common.open_record(properties, required=properties)
    return validation.of_body(titled("CapacityHistory", schema))


def _sample():
    properties = {
        "at": described("When the sums were made.", _MOMENT),
        "hosts": described("How many root providers there were.", _COUNT_OR_NULL),
        "capacity": described(meanings.CAPACITY, {"type": "integer"}),
        "used": described(meanings.USED, common.COUNT),
        "largest_free": described("The most that a single provider had left.", _COUNT_OR_NULL),
        "full": described("How many providers had none of the class left.", _COUNT_OR_NULL),
        "providers": described("How many providers offered the class.", _COUNT_OR_NULL),
    }
    return common.open_record(properties, required=properties)


def _trend():
    days = {"type": ["integer", "null"], "minimum": 1}
    properties = {
        "days": described("How many of the last 28 days have samples; at least 7.", common.COUNT),
        "per_day": described("The pace: how much more is used each day.", _NUMBER),
        "per_day_range": described("The slowest and the fastest plausible pace.", _pair(_NUMBER)),
        "full_in_days": described(
            "Days until all of the present capacity is used; null if that takes longer than ten "
            "years, or never happens.",
            days,
        ),
        "full_in_days_range": described(
            "The same days at the fastest and at the slowest pace.", _pair(days)
        ),
    }
    trend = titled("CapacityTrend", common.open_record(properties, required=properties))
    return {"anyOf": [trend, {"type": "null"}]}


def _pair(items):
    return {"type": "array", "items": items, "minItems": 2, "maxItems": 2}
