"""How commands print for people: aligned columns, bars and, only on a terminal, colours."""

import os
import sys

import prettytable

FILLED = ("Used", "", "%", "Capacity")
_FILLED_WIDTH = 20

_COLOURS = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "cyan": 36}


def coloured(text, colour):
    """Return text in a colour, or unchanged if colours are not wanted.

    Source: https://no-color.org.
    """
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if unwanted or not text or not sys.stdout.isatty():
        return text
    return f"\033[{_COLOURS[colour]}m{text}\033[0m"


def bar(part, whole, width):
    """Return a bar, with `width` characters for the whole; a part above 0 always shows."""
    return coloured(_or_ascii("█", "#") * _blocks(part, whole, width), "cyan")


def share(part, whole, width):
    """Return a bar of `width` characters, in which pale ones stand for the rest of the whole."""
    rest = width - _blocks(part, whole, width)
    return bar(part, whole, width) + coloured(_or_ascii("░", ".") * rest, "dim")


def filled(row):
    """Return the cells, under FILLED, for how much of a capacity is used."""
    if row.capacity > 0:
        percent = f"{100 * row.used / row.capacity:.0f}"
        used = share(min(row.used, row.capacity), row.capacity, _FILLED_WIDTH)
    else:
        percent = "over" if row.used else ""
        used = share(min(row.used, 1), 1, _FILLED_WIDTH)
    return [f"{row.used:,}", used, percent, f"{row.capacity:,}"]


def _blocks(part, whole, width):
    blocks = round(part / whole * width) if whole else 0
    return max(blocks, 1 if part else 0)


def _or_ascii(character, instead):
    """Return a character, or another one if standard output cannot encode it."""
    try:
        character.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return instead
    return character


def columns(rows, align, header=()):
    """Return the lines of a table without borders; `align` has an l or an r for each column."""
    names = [str(number) for number in range(len(align))]
    table = prettytable.PrettyTable(names, border=False, header=False)
    for name, side in zip(names, align, strict=True):
        table.align[name] = side
    if header:
        table.add_row([coloured(text, "bold") for text in header])
    for row in rows:
        table.add_row(row)
    return "\n".join(f" {line.rstrip()}" for line in table.get_string().splitlines())


def hosts(number):
    return "1 host" if number == 1 else f"{number:,} hosts"
