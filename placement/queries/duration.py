"""The text of a duration, such as 30d -> hours; pure."""

PATTERN = "[1-9][0-9]{0,4}[hdw]"
EXAMPLES = "48h, 30d or 8w"
# The default for options of commands.
HOUR = "1h"
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


def hours(text):
    """Return how many hours a text that matches PATTERN stands for."""
    return int(text[:-1]) * _HOURS[text[-1]]
