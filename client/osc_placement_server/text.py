"""Text for people: names without control characters, and sparklines; pure."""

_LEVELS = "▁▂▃▄▅▆▇█"


def printable(text):
    """Return text, such as a host's name, with escapes in place of unprintable characters.

    Such characters might break the line, or control the terminal.
    """
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def sparkline(numbers, most):
    """Return a character for each number from 0 to `most`; a space for None."""
    last = len(_LEVELS) - 1
    # If all numbers are 0, so is `most`. The level of `most` itself would be one too high.
    return "".join(
        " " if each is None else _LEVELS[min(int(each / (most or 1) * len(_LEVELS)), last)]
        for each in numbers
    )
