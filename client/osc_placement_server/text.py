"""Text for people: names without what controls a terminal, and sparklines; pure."""

_LEVELS = "▁▂▃▄▅▆▇█"


def printable(text):
    """Return text with escapes, such as \\n, for what has no place on a line, as in names of hosts.

    Such characters might also control the terminal.
    """
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def sparkline(numbers):
    """Return a character for each number, up to the greatest of them; a space for None."""
    most = max((each for each in numbers if each is not None), default=0) or 1
    return "".join(
        " " if each is None else _LEVELS[min(int(each / most * len(_LEVELS)), len(_LEVELS) - 1)]
        for each in numbers
    )
