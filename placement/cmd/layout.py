"""Fit what commands print into the width of a terminal.

Output to files and programs is not folded.
"""

import itertools
import re
import shutil
import sys
import textwrap

import prettytable
import wcwidth

from placement.cmd import display

# A shorter bar shows nothing useful.
_SHORTEST_BAR = 8
_INDENTATION = 2
# If a row takes several lines, all but the first begin this many characters further right.
_CONTINUATION = 4
_GAP = 2
_COLOUR = re.compile(r"\033\[[0-9;]*m")
_WORD = re.compile(r"\S+\s*")
# Each part of a long name ends after its punctuation: CUSTOM_, GOLD= and 2 in "CUSTOM_GOLD=2".
_PART = re.compile(r"[^-_.,:;/&=]*[-_.,:;/&=]+\s*|[^-_.,:;/&=]+")
# UUIDs, dates (2026-11-01) and times (12:00 or 12:00:30), which are not split.
_UNSPLIT = re.compile(
    r"([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}(-\d\d){2}|\d\d(:\d\d){1,2})\s*"
)


def folded(text, indentation=""):
    """Return a sentence, folded into lines that fit; `indentation` is doubled after the first."""
    text = display.printable(text)
    limit = _limit()
    if limit is None:
        return indentation + text
    return textwrap.fill(
        text,
        limit,
        initial_indent=indentation,
        subsequent_indent=indentation * 2,
        break_long_words=False,
        break_on_hyphens=False,
    )


def columns(rows, *, align, header=()):
    """Return a table without borders, as text.

    `align` has a letter for each column: l for left, r for right.

    A cell is a string or a display.Bar. If a terminal is too narrow, bars become shorter and then
    disappear; then text is folded between words. If that is not enough, each row takes several
    lines. Long names are split only if they are wider than the terminal, and only between their
    parts; UUIDs, dates and times are never split.
    """
    table = [[_printable(cell) for cell in row] for row in ([header] if header else []) + [*rows]]
    by_column = list(zip(*table, strict=True)) or [()] * len(align)
    limit = _limit()
    # For each line that a row takes: the cells of all rows on that line, perhaps folded.
    stacked = []
    for depth, chosen in enumerate(_lines_of_row(by_column, align, limit)):
        indentation = _CONTINUATION if depth else 0
        stacked.append(
            _blocks(
                [[row[column] for column in chosen] for row in table],
                "".join(align[column] for column in chosen),
                None if limit is None else limit - indentation,
                has_header=bool(header),
                indentation=" " * indentation,
            )
        )
    lines = [line for row in zip(*stacked, strict=True) for block in row for line in block]
    # A row that takes several lines may have no text for some of them.
    return "\n".join(line for line in lines if line or len(stacked) == 1)


def _lines_of_row(by_column, align, limit):
    """Return lists of indexes of columns, one list for each line that a row takes.

    One line is enough if the columns fit when text is folded between words. Otherwise a line has as
    many columns as fit unfolded, and a number after text begins a new line, so that numbers stay
    together. `by_column` has the cells of each column; `limit` is the width, or None for no limit.
    """
    everything = [*range(len(align))]
    bars = _bars(by_column)
    least = [None if column in bars else _least(by_column[column], _words) for column in everything]
    if limit is None or _excess(least, limit) <= 0:
        return [everything]
    # Bars are shortened before anything else.
    full_widths = [
        min(width, _SHORTEST_BAR) if column in bars else width
        for column, width in enumerate(_full_widths(by_column))
    ]
    lines = [[]]
    for column in everything:
        line = lines[-1]
        room = limit - (_CONTINUATION if len(lines) > 1 else 0)
        is_after_text = bool(line) and align[line[-1]] == "l" and line[-1] not in bars
        begins_numbers = align[column] == "r" and is_after_text
        full = [full_widths[each] for each in (*line, column)]
        if line and (begins_numbers or _excess(full, room) > 0):
            lines.append([])
        lines[-1].append(column)
    return lines


def _blocks(table, align, limit, has_header, indentation):
    """Return the lines of each row, [[line]]; the table fits, or is as narrow as possible."""
    widths = _fitting_widths(table, align, limit)
    shown = [column for column, width in enumerate(widths) if width is not None]
    names = [str(column) for column in shown]
    pretty = prettytable.PrettyTable(names, border=False, header=False)
    for name, column in zip(names, shown, strict=True):
        pretty.align[name] = align[column]
    heights = []
    for number, row in enumerate(table):
        colour = "bold" if has_header and number == 0 else None
        cells = [_cell(row[column], widths[column], colour) for column in shown]
        heights.append(1 + max((cell.count("\n") for cell in cells), default=0))
        pretty.add_row(cells)
    lines = iter(pretty.get_string().splitlines())
    # prettytable begins a line with a space; with the one added here, that makes _INDENTATION.
    return [
        [f"{indentation} {line}".rstrip() for line in itertools.islice(lines, height)]
        for height in heights
    ]


def _printable(cell):
    is_text = isinstance(cell, str) and not isinstance(cell, display.Coloured)
    return display.printable(cell) if is_text else cell


def _limit():
    """Return the width of the terminal; None if standard output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _cell(cell, width, colour):
    """Return the text of a cell, in lines that fit this width."""
    if isinstance(cell, display.Bar):
        return cell.drawn(width)
    return "\n".join(
        display.coloured(line, colour) if colour else line for line in _wrapped(cell, width)
    )


def _fitting_widths(table, align, limit):
    """Return the width of each column; None for a bar that is left out.

    `table` has rows of cells, `align` an l or an r for each column; `limit` is the width of a line.
    """
    by_column = list(zip(*table, strict=True)) or [()] * len(align)
    widths = _full_widths(by_column)
    if limit is None:
        return widths
    bars = _bars(by_column)
    # Bars are shortened first, and left out if they would be too short.
    for column in bars:
        widths[column] = _shortened(widths[column], _excess(widths, limit))
    texts = [column for column in range(len(widths)) if column not in bars]
    # Text is folded between words first; words are split only after that, and numbers never.
    for split, narrowed in (
        (_words, texts),
        (_parts, [column for column in texts if align[column] == "l"]),
    ):
        least = {column: _least(by_column[column], split) for column in narrowed}
        _narrow(widths, least, limit)
    return widths


def _full_widths(by_column):
    """Return the width that each column needs."""
    return [max(map(width_of, cells), default=0) for cells in by_column]


def _bars(by_column):
    """Return the indexes of the columns that hold bars."""
    return [
        column
        for column, cells in enumerate(by_column)
        if any(isinstance(cell, display.Bar) for cell in cells)
    ]


def _least(cells, split):
    """Return the width of the longest piece when `split`, _words or _parts, splits each cell."""
    return max((width_of(piece) for cell in cells for piece in split(cell)), default=0)


def _shortened(width, excess):
    """Return the width of a bar in a table that is too wide by `excess`; None to omit the bar."""
    if width - max(excess, 0) < min(width, _SHORTEST_BAR):
        return None
    return width - max(excess, 0)


def _narrow(widths, least, limit):
    """Narrow the columns of `least`, {column: smallest width}, as far as needed, widest first."""
    while (excess := _excess(widths, limit)) > 0:
        wide = [column for column in least if widths[column] > least[column]]
        if not wide:
            return
        widest = max(wide, key=lambda column: widths[column])
        others = [widths[column] for column in wide if widths[column] < widths[widest]]
        # Make it no narrower than needed, nor than the next widest column, whose turn is next.
        target = max(least[widest], max(others, default=0), widths[widest] - excess)
        # Columns that are equally wide take turns.
        widths[widest] = min(target, widths[widest] - 1)


def _excess(widths, limit):
    """Return by how much columns exceed a line; the width None means a column that is left out."""
    shown = [width for width in widths if width is not None]
    return _INDENTATION + sum(shown) + _GAP * (len(shown) - 1) - limit


def width_of(cell):
    """Return how many characters wide a cell is on a terminal."""
    if isinstance(cell, display.Bar):
        return cell.width
    text = _COLOUR.sub("", cell)
    return len(text) if text.isascii() else max(wcwidth.wcswidth(text), 0)


def _wrapped(text, width):
    """Return the lines of a text; a word is split only if it is wider than a line."""
    if width_of(text) <= width:
        return [text]
    lines = [""]
    for word in _WORD.findall(text):
        for piece in [word] if width_of(word.rstrip()) <= width else _parts(word):
            if lines[-1] and width_of(lines[-1] + piece.rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return [line.rstrip() for line in lines]


def _words(text):
    return text.split()


def _parts(text):
    """Return the parts into which a text can be split; a line may end after each of them.

    "on CUSTOM_GOLD 12:00" has the parts "on ", "CUSTOM_", "GOLD " and "12:00".
    """
    return [
        part
        for word in _WORD.findall(text)
        for part in ([word] if _UNSPLIT.fullmatch(word) else _PART.findall(word))
    ]
