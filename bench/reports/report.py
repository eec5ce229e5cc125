"""What was measured: the rows, as a table in reStructuredText and as JSON."""

import enum
import json
from typing import NamedTuple

from bench.measuring.measure import Figure


class Unit(enum.Enum):
    MILLISECONDS = "ms"
    PER_SECOND = "per s"
    MEBIBYTES = "MiB"


class Row(NamedTuple):
    """One thing that was measured, with a Figure for each server."""

    title: str
    unit: Unit
    figures: list[Figure]

    @property
    def ratio(self):
        """How many times better the first server is than the second; None if one has no Figure."""
        if len(self.figures) < 2:
            return None
        first, second = (figure.median for figure in self.figures)
        if first is None or second is None:
            return None
        better, worse = (first, second) if self.unit is Unit.PER_SECOND else (second, first)
        return better / worse if worse else None


def listed(conditions):
    """Return a field list of the conditions, {what: text}."""
    return "".join(f":{what}: {text}\n" for what, text in conditions.items())


def table(names, rows):
    """Return a simple table; `names` are the names of the servers."""
    header = ["Median"]
    for name in names:
        header += [name, "slowest", "CPU (ms)"]
    header += ["ratio"] * (len(names) == 2)
    return _simple_table([header, *map(_cells, rows)])


def _cells(row):
    cells = [f"{row.title} ({row.unit.value})"]
    for figure in row.figures:
        cells += [_median(figure), _slowest(figure, row.unit), _cpu(figure)]
    if len(row.figures) == 2:
        cells.append("-" if row.ratio is None else factor(row.ratio))
    return cells


def factor(ratio):
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.1f}"


def _median(figure):
    if figure.gave_up:
        return f"gave up after {figure.gave_up} s"
    if figure.median is None:
        return "-"
    counts = [f"{count} x {status}" for status, count in figure.refusals.most_common()]
    return f"{figure.median:.1f}" + (f" ({', '.join(counts)})" if counts else "")


def _slowest(figure, unit):
    is_time = unit is Unit.MILLISECONDS and figure.highest is not None
    return f"{figure.highest:.1f}" if is_time else "-"


def _cpu(figure):
    """Return the CPU time of the workers, and that of the database, as text."""
    if figure.workers_cpu is None:
        return "-"
    database = "-" if figure.database_cpu is None else f"{figure.database_cpu:.2f}"
    return f"{figure.workers_cpu:.2f} + {database}"


def _simple_table(rows):
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = "  ".join("=" * width for width in widths)
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule]) + "\n"


def as_json(conditions, names, rows):
    """Return a document with the conditions, {what: text}, and all figures."""
    document = {
        "conditions": conditions,
        "rows": [
            {
                "title": row.title,
                "unit": row.unit.value,
                "ratio": row.ratio,
                "servers": {
                    name: figure._asdict() for name, figure in zip(names, row.figures, strict=True)
                },
            }
            for row in rows
        ],
    }
    return json.dumps(document, indent=1) + "\n"
