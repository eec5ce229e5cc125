"""How commands print for people: bars and, only on a terminal, colours."""

import os
import sys
from typing import NamedTuple

from placement.candidates.why.plurals import counted
from placement.cmd import progress

FILLED = ("Used", "", "%", "Capacity")
_FILLED_WIDTH = 20

_COLOURS = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "cyan": 36}


class Coloured(str):
    """Text with terminal codes in it."""

    __slots__ = ()


def printable(text):
    """Return text with escapes, such as \\n, for characters that do not belong on a line.

    Names of hosts may have such characters, and some of them control the terminal.
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def coloured(text, colour):
    """Return Coloured text, or the text unchanged if colours are not wanted.

    Source: https://no-color.org.
    """
    unwanted = os.environ.get("NO_COLOR") or progress.is_dumb_terminal()
    if unwanted or not text or not sys.stdout.isatty():
        return text
    return Coloured(f"\033[{_COLOURS[colour]}m{text}\033[0m")


class Bar(NamedTuple):
    """A bar in which `width` characters, or fewer on a narrow terminal, stand for the whole.

    A part above 0 is drawn with at least one character. With `is_share`, pale characters
    stand for the rest of the whole.
    """

    part: float
    whole: float
    width: int
    is_share: bool = False

    def drawn(self, width):
        """Return the characters of the bar, if `width` of them stand for the whole."""
        blocks = round(self.part / self.whole * width) if self.whole else 0
        blocks = max(blocks, 1 if self.part else 0)
        drawn = coloured(_or_ascii("█", "#") * blocks, "cyan")
        if self.is_share:
            drawn += coloured(_or_ascii("░", ".") * (width - blocks), "dim")
        return drawn


def filled(row):
    """Return the cells of the FILLED columns; `row` has the attributes `used` and `capacity`."""
    # More than the capacity may be used; a full bar shows that, too.
    bar = Bar(part=min(share_used(row), 1), whole=1, width=_FILLED_WIDTH, is_share=True)
    return [f"{row.used:,}", bar, _percent(row), f"{row.capacity:,}"]


def _percent(row):
    """Return the percentage of a capacity that is used; without capacity, "over" if any is used."""
    if row.capacity > 0:
        return f"{100 * share_used(row):.0f}"
    return "over" if row.used else ""


def share_used(row):
    """Return the share of a capacity that is used.

    If there is no capacity, each used unit counts as 100 %.
    """
    return row.used / row.capacity if row.capacity > 0 else row.used


# The characters of a sparkline, from low to high, and ASCII ones for terminals without them.
_LEVELS = ("▁▂▃▄▅▆▇█", "_.,-=+*#")


def sparkline(numbers, most):
    """Return a string with a character for each number, from 0 to `most`, and a space for None."""
    # Each block character, or the ASCII character in the same place.
    levels = "".join(map(_or_ascii, *_LEVELS))

    def character(number):
        # If all numbers are 0, so is `most`.
        level = int(number / (most or 1) * len(levels))
        # The level of `most` itself would be one too high.
        return levels[min(level, len(levels) - 1)]

    return "".join(" " if number is None else character(number) for number in numbers)


def _or_ascii(character, instead):
    """Return a character, or another one if standard output cannot encode it."""
    try:
        character.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return instead
    return character


def minute(moment):
    """Return a moment as text, without its seconds."""
    return f"{moment:%Y-%m-%d %H:%M}"


# Units of time and their seconds, the longest first.
_UNITS = {"day": 86400, "hour": 3600, "minute": 60}


def ago(seconds):
    """Return how long ago something happened, in the largest unit."""
    for unit, length in _UNITS.items():
        if seconds >= length:
            return f"{counted(int(seconds // length), unit)} ago"
    return "just now"


def host(name, is_disabled):
    """Return the name of a host, marked if nova has disabled it."""
    return f"{name} (disabled)" if is_disabled else name


def servers(connections_by_host):
    """Return the hosts from which servers are connected, such as "a (2 connections), b (...)"."""
    return ", ".join(
        f"{host} ({counted(number, 'connection')})"
        for host, number in connections_by_host.items()
    )
