"""Print how full the cloud was, with a sparkline for each class.

Source: doc/how-to/capacity.rst.
"""

import datetime
import json

from placement.cmd import display, layout, listing, mistakes, progress
from placement.cmd.capacity_samples import columns
from placement.cmd.capacity_samples.columns import Column
from placement.documents import capacity_history as history_document
from placement.documents import moment
from placement.objects.capacity_history import past_capacity
from placement.queries import duration

# The default of --step.
STEP = "1h"
SPARKLINE_WIDTH = 40


def show(options, database):
    """Print the history that --since asks for, in one of the formats. Raises: Mistake."""
    if options.by not in past_capacity.GROUPINGS:
        raise mistakes.Mistake(
            f"--since cannot be used with --by {options.by}: the history has sums of classes only."
        )
    past = _read(options, database)
    if options.json:
        print(json.dumps(history_document.document(past, options.by), indent=2))
    elif listing.is_wanted(options):
        listing.write(options, columns.NAMES, _rows(past))
    elif past.classes:
        _print(past, options.since)
    else:
        print("No samples were stored in this period.")


def _read(options, database):
    """Return the CapacityHistory that the options ask for."""
    hours, step = duration.hours(options.since), duration.hours(options.step or STEP)
    with progress.shown(progress.READING_THE_SAMPLES), database.reports() as conn:
        now = datetime.datetime.now(datetime.UTC)
        # Unlike an answer of the service, the output may have any number of samples.
        return past_capacity.read(conn, hours, step, now, most=None)


def _rows(past):
    """Yield a row for each sample of each class; cells that a sample lacks are None."""
    for of_class in past.classes:
        for point in of_class.points:
            cells = {
                Column.CLASS: point.class_name,
                Column.USED: point.used,
                Column.CAPACITY: point.capacity,
                Column.LARGEST_FREE: point.largest_free,
                Column.PROVIDERS: point.providers,
                Column.FULL: point.full_providers,
                Column.HOSTS: point.hosts,
                Column.AT: moment(point.taken_at),
            }
            yield columns.row(cells)


def _print(past, since):
    """Print a CapacityHistory as a table; `since` is the option as it was typed."""
    used = f"{Column.USED}, last {since}"
    header = [Column.CLASS, used, "Least %", "Most %", "Now %", "Forecast"]
    rows = [_row(of_class, past.since) for of_class in past.classes]
    print(layout.columns(rows, align="llrrrl", header=header))


def _row(of_class, since):
    """Return the cells for a ClassHistory; its sparkline begins at the moment `since`."""
    shares = [(point.taken_at, display.share_used(point)) for point in of_class.points]
    numbers = [share for _, share in shares]
    least, most, newest = min(numbers), max(numbers), numbers[-1]
    levels = averages(shares, begin=since, end=shares[-1][0], parts=SPARKLINE_WIDTH)
    return [
        of_class.class_name,
        display.sparkline(levels, most),
        *(f"{100 * share:.0f}" for share in (least, most, newest)),
        history_document.in_words(of_class.trend),
    ]


def averages(shares, begin, end, parts):
    """Return the average share in each of `parts` equal parts of a period; None without samples.

    `shares` is [(moment, share)].
    """
    shares_by_part = [[] for _ in range(parts)]
    length = (end - begin).total_seconds()
    for taken_at, share in shares:
        # The period may consist of one moment.
        part = int((taken_at - begin).total_seconds() / length * parts) if length else 0
        # The end itself belongs to the last part.
        shares_by_part[min(part, parts - 1)].append(share)
    return [sum(in_part) / len(in_part) if in_part else None for in_part in shares_by_part]
