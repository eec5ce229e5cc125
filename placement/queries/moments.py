"""The text of a moment, such as 2026-11-01T12:00, or 30d for how long ago -> datetime; pure."""

import datetime
import re

from oslo_utils import timeutils

from placement.queries import duration


def parsed(text, now):
    """Return a moment as naive UTC; `now` is naive UTC, too. Raises: ValueError."""
    try:
        if re.fullmatch(duration.PATTERN, text):
            return now - datetime.timedelta(hours=duration.hours(text))
        return timeutils.normalize_time(datetime.datetime.fromisoformat(text))
    except OverflowError as error:
        raise ValueError(str(error)) from error
