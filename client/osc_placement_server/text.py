"""Text for people: names without control characters, and sparklines; pure."""

_LEVELS = "▁▂▃▄▅▆▇█"


def printable(text):
    """Return text, such as a host's name, with escapes for unprintable characters.

    Those might break the line, or control the terminal.
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
