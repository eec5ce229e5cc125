"""A duration as a string, such as 30d -> hours or seconds; pure."""

PATTERN = "[1-9][0-9]{0,4}[hdw]"
EXAMPLES = "48h, 30d or 8w"
# For the age of a consumer, which may be less than an hour.
AGE_PATTERN = "[0-9]{1,6}[smhd]"
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 24 * 3600, "w": 7 * 24 * 3600}


def hours(text):
    """Return how many hours a string that matches PATTERN stands for."""
    return seconds(text) // _SECONDS["h"]


def seconds(text):
    """Return how many seconds a string that matches PATTERN or AGE_PATTERN stands for."""
    return int(text[:-1]) * _SECONDS[text[-1]]
