"""Store samples from a CSV file that was exported from another program or database.

Source: doc/how-to/capacity.rst.
"""

import collections
import contextlib
import csv
import datetime
import itertools
import re
import sys

from placement import constants
from placement.cmd import mistakes, progress
from placement.cmd.capacity_samples.columns import Column
from placement.db.records.capacity_samples import ClassSums, HourSample, hour_of
from placement.objects.capacity_history import sampling
from placement.queries import moments
from placement.schemas import common

# The columns that a file must have.
NEEDED = (Column.AT, Column.CLASS, Column.USED, Column.CAPACITY)
# The columns with numbers, and the largest number in each.
NUMBERS = {
    Column.USED: constants.MAX_CAPACITY,
    Column.CAPACITY: constants.MAX_CAPACITY,
    Column.LARGEST_FREE: constants.MAX_CAPACITY,
    Column.FULL: constants.MAX_INTEGER,
    Column.PROVIDERS: constants.MAX_INTEGER,
    Column.HOSTS: constants.MAX_INTEGER,
}


def store(options, database, days_kept):
    """Store the samples in the file that --import names; print what was done. Raises: Mistake."""
    now = datetime.datetime.now(datetime.UTC)
    with progress.shown(progress.READING_THE_SAMPLES) as line:
        with _opened(options.imported) as lines:
            samples = read(lines, _name(options.imported), now)
        line.tell("Storing the samples")
        done = sampling.add(database, samples, days_kept, now, replace=options.replace)
    print(
        f"Hours stored: {done.stored}. Left out: {done.present} that have a sample already, "
        f"{done.too_old} that are older than {days_kept} days."
    )


def _name(path):
    return "Standard input" if path == "-" else path


@contextlib.contextmanager
def _opened(path):
    """Context manager: yield the lines of a file, or of standard input for "-". Raises: Mistake."""
    with mistakes.of_file(_name(path)):
        if path == "-":
            yield sys.stdin
        else:
            with open(path, encoding="utf-8", newline="") as lines:
                yield lines


def read(lines, path, now):
    """Return the HourSamples in lines of CSV; of several in an hour, only the earliest.

    path: the name of the file, for messages
    Raises: Mistake, with the number of the line.
    """
    lines = iter(lines)
    # Spreadsheets begin a file in UTF-8 with a byte order mark.
    first = next(lines, "").removeprefix("\ufeff")
    reader = csv.DictReader(itertools.chain([first], lines))
    try:
        reader.fieldnames = [_column(name) for name in reader.fieldnames or ()]
    except csv.Error as error:
        raise mistakes.Mistake(f"{path} is not CSV: {error}.") from error
    if missing := [name for name in NEEDED if name not in reader.fieldnames]:
        raise mistakes.Mistake(
            f"{path}, line 1: it must name the columns; missing: {', '.join(missing)}."
        )
    # {moment: {class name: ClassSums}}, and {moment: number of hosts}.
    by_moment = collections.defaultdict(dict)
    hosts = {}
    try:
        for row in reader:
            moment, host_count, sums = _parsed(row, now)
            by_moment[moment][sums.class_name] = sums
            hosts[moment] = host_count
    except (ValueError, OverflowError, csv.Error) as error:
        raise mistakes.Mistake(f"{path}, line {reader.line_num}: {error}.") from error
    # The moments are sorted backwards, so the earliest one of an hour replaces the later ones.
    first_of_hours = {hour_of(moment): moment for moment in sorted(by_moment, reverse=True)}
    return [
        HourSample(moment, hosts[moment], list(by_moment[moment].values()))
        for moment in sorted(first_of_hours.values())
    ]


def _column(name):
    """Return a column's name as the command prints it, such as "Largest free" for largest_free."""
    return name.strip().replace("_", " ").capitalize()


def _parsed(row, now):
    """Return (moment, number of hosts or None, ClassSums) of a row.

    Raises: ValueError; OverflowError if the moment, in UTC, is not in the years 1 to 9999.
    """
    written = row[Column.AT] or ""
    try:
        moment = datetime.datetime.fromisoformat(written)
    except ValueError as error:
        raise ValueError(f"{written!r} is not a date such as {moments.EXAMPLES} (UTC)") from error
    moment = moment.replace(tzinfo=moment.tzinfo or datetime.UTC).astimezone(datetime.UTC)
    if hour_of(moment) > hour_of(now):
        raise ValueError(f"{row[Column.AT]} is in the future")
    class_name = row[Column.CLASS] or ""
    if len(class_name) > constants.MAX_NAME or not re.fullmatch(common.NAME, class_name):
        raise ValueError(f"{row[Column.CLASS]!r} is not the name of a resource class")
    numbers = {name: _number(name, row.get(name)) for name in NUMBERS}
    for name in (Column.USED, Column.CAPACITY):
        if numbers[name] is None:
            raise ValueError(f"{name} is missing")
    return (
        moment,
        numbers[Column.HOSTS],
        ClassSums(
            class_name,
            capacity=numbers[Column.CAPACITY],
            used=numbers[Column.USED],
            largest_free=numbers[Column.LARGEST_FREE],
            full_providers=numbers[Column.FULL],
            providers=numbers[Column.PROVIDERS],
        ),
    )


def _number(name, text):
    """Return the number in a cell of a column; None if the cell is empty. Raises: ValueError."""
    if not text:
        return None
    # Python would refuse to read a number with thousands of digits.
    if not re.fullmatch("[0-9]{1,19}", text) or int(text) > NUMBERS[name]:
        raise ValueError(
            f"{name} must be a whole number up to {NUMBERS[name]}, and not {text[:40]!r}"
        )
    return int(text)
