"""A moment or an age as a string, such as 2026-11-01T12:00 or 30d -> datetime; pure."""

import datetime
import re

from oslo_utils import timeutils

from placement.queries import duration

# A space may separate date and time, as in the output of `history`. The + of an offset from UTC
# is a space in a query string, unless the client encodes it.
DATE = r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+ -]([01]\d|2[0-3]):[0-5]\d)?)?"
EXAMPLES = "2026-11-01 or 2026-11-01T12:00"
_BEFORE_TIME = len("2026-11-01T")


def parsed(text, now):
    """Return a moment as naive UTC; `now` is naive UTC, too. Raises: ValueError."""
    try:
        if re.fullmatch(duration.PATTERN, text):
            return now - datetime.timedelta(hours=duration.hours(text))
        if not re.fullmatch(DATE, text):
            raise ValueError(f"it is not written like {EXAMPLES}")
        # In a query string, an unencoded + has become a space.
        day, time = text[:_BEFORE_TIME], text[_BEFORE_TIME:].replace(" ", "+")
        date = datetime.datetime.fromisoformat(day + time)
        return timeutils.normalize_time(date)
    except (ValueError, OverflowError) as error:
        # For instance, a day that the month does not have, or a year before 1 or after 9999.
        raise ValueError(f"{text!r} is not a valid time: {error}") from error
