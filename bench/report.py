"""What was measured, as a table in reStructuredText."""

import collections
import statistics


def time_row(title, times):
    """Return the cells for {server: [milliseconds, ...]}, in the order of the servers.

    Two servers have a ratio: how many times faster is the first?
    """
    medians = [statistics.median(values) for values in times]
    cells = [f"{median:.1f}" for median in medians]
    return [f"{title} (ms)", *cells, *_ratio(medians[::-1])]


def rate_rows(title, rates):
    """Return two lists of cells for [[ClaimRate, ...], ...]: rates, and refusals by status."""
    medians = [statistics.median(rate.per_second for rate in values) for values in rates]
    refusals = [
        sum((rate.refusals for rate in values), collections.Counter()) for values in rates
    ]
    return [
        [f"{title} (per second)", *(f"{median:.1f}" for median in medians), *_ratio(medians)],
        [f"{title}: refused", *map(_counted, refusals), *([""] if len(rates) == 2 else [])],
    ]


def _ratio(medians):
    """One cell with the first of two figures in units of the second; none for one figure."""
    if len(medians) < 2:
        return []
    return [f"{medians[0] / medians[1]:.2f}" if medians[1] else "-"]


def _counted(refusals):
    if not refusals:
        return "0"
    return ", ".join(f"{count} x {status}" for status, count in refusals.most_common())


def table(header, rows):
    """Return a simple table."""
    rows = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = "  ".join("=" * width for width in widths)
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule]) + "\n"
