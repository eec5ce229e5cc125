"""placement-manage audit --consumers: consumers that are not on a list, and what they hold.

Source: doc/how-to/audit.rst.
"""

import datetime
import json
import os
import re
import sys

from placement.candidates.why.plurals import counted
from placement.cmd import display, listing, mistakes
from placement.db.chunks import chunks
from placement.documents import moment
from placement.documents import orphans as orphans_document
from placement.objects import orphans

_NORMALIZED_UUID = re.compile("[0-9a-f]{32}")
# The largest number of orphans whose holdings are looked up at a time.
_ORPHANS_AT_ONCE = 500
COLUMNS = ("Consumer", "Last written", "Host", "Host UUID", "Resources")


def run(database, options, add_names):
    """List the orphans, remove their allocations if asked to, and return the exit status.

    add_names: a function that adds the operator's names to the ids in a string
    Raises: Mistake.
    """
    # A replica may be behind, so it does not decide what is removed.
    read = database.reader if options.delete_orphans else database.reports
    comparison = _compare(read, options)
    listed = _listed(read, comparison.orphans)
    if options.json:
        _print_json(comparison, options.consumer_type, listed)
    elif listing.is_wanted(options):
        listing.write(options, COLUMNS, _rows(listed))
    else:
        _print_lines(comparison, options.consumer_type, listed, add_names)
    refusal = _refusal(comparison, options.at_most) if options.delete_orphans else None
    deleted = None
    if options.delete_orphans:
        deleted = 0 if refusal else _delete(database, comparison.orphans)
    if options.json:
        # The end of the object that _print_json has begun.
        print(f'"deleted": {json.dumps(deleted)}}}')
    elif deleted is not None and not refusal:
        said_to = sys.stderr if listing.is_wanted(options) else sys.stdout
        print(f"Removed the allocations of {counted(deleted, 'orphan')}.", file=said_to)
    if refusal:
        raise mistakes.Mistake(refusal)
    # Without orphans, or after the removal of all their allocations, nothing is left to do.
    return 0 if len(comparison.orphans) == (deleted or 0) else 1


def _delete(database, found):
    """Remove the allocations of orphans that have not changed since the search; return how many."""
    # Each call returns whether it has removed the allocations.
    return sum(orphans.remove_allocations(database, orphan) for orphan in found)


def _compare(read, options):
    """Compare the cloud with the file, and return the Comparison; `read` connects to the database.

    Raises: Mistake.
    """
    known, written_at = _known(options.consumers)
    with read() as conn:
        try:
            return orphans.compare(
                conn, options.consumer_type, known, written_at - options.older_than
            )
        except orphans.NoSuchType as error:
            raise mistakes.Mistake(error) from error


def _known(path):
    """Return the normalized UUIDs in a file, and when it was written (naive UTC).

    Consumers that were created later cannot be on the list.
    Raises: Mistake.
    """
    with mistakes.of_file(path), open(path, encoding="utf-8-sig") as lines:
        seconds = os.fstat(lines.fileno()).st_mtime
        known = {
            _uuid(line.strip(), f"{path}, line {number}")
            for number, line in enumerate(lines, start=1)
            if line.strip()
        }
    if not known:
        raise mistakes.Mistake(
            f"{path} names no consumer: it must have one UUID per line, or all consumers would be "
            "orphans."
        )
    now = datetime.datetime.now(datetime.UTC)
    # A time in the future, from another clock, would include consumers created after the list.
    written_at = min(datetime.datetime.fromtimestamp(seconds, datetime.UTC), now)
    return known, written_at.replace(tzinfo=None)


def _uuid(text, place):
    """Return a normalized UUID. Raises: Mistake, which names the `place` of the text."""
    normalized = orphans.normalized(text)
    if not _NORMALIZED_UUID.fullmatch(normalized):
        raise mistakes.Mistake(f"{place}: {text[:40]!r} is not a UUID.")
    return normalized


def _listed(read, all_orphans):
    """Yield (orphan, its HeldOnHosts); read the HeldOnHosts of several orphans at a time."""
    for chunk in chunks(all_orphans, _ORPHANS_AT_ONCE):
        with read() as conn:
            holdings = orphans.holdings(conn, [orphan.uuid for orphan in chunk])
        for orphan in chunk:
            yield orphan, holdings[orphan.uuid]


def _refusal(comparison, most_percent):
    """Return why orphans are not removed, or None. Too many may mean that the list is truncated."""
    count, consumers = len(comparison.orphans), comparison.consumer_count
    if count * 100 <= most_percent * consumers:
        return None
    return (
        f"{count} of {consumers} consumers are not in the file, which is more than "
        f"{most_percent:g} percent: nothing was removed. If the file is complete, raise --at-most."
    )


def _print_json(comparison, consumer_type, listed):
    """Print an object without its closing brace, one orphan after the other, to save memory."""
    beginning = orphans_document.beginning(comparison, consumer_type)
    print(f'{json.dumps(beginning)[:-1]}, "orphans": [', end="")
    separator = "\n"
    for orphan, holdings in listed:
        print(separator, json.dumps(orphans_document.orphan(orphan, holdings)), sep="", end="")
        separator = ",\n"
    print("],")


def _rows(listed):
    """Yield a row for each orphan and host."""
    for orphan, holdings in listed:
        for holding in holdings:
            yield [
                orphan.uuid,
                orphan.touched and moment(orphan.touched),
                *(holding.host_name, holding.host_uuid, _amounts(holding)),
            ]


def _amounts(holding):
    return " ".join(f"{name}:{amount}" for name, amount in holding.amounts.items())


def _print_lines(comparison, consumer_type, listed, add_names):
    """Print a line for each orphan and host."""
    for orphan, holdings in listed:
        for holding in holdings:
            host = display.printable(holding.host_name)
            consumer = display.printable(add_names(orphan.uuid))
            print(consumer, _minute(orphan.touched), host, _amounts(holding))
    print(
        f"{len(comparison.orphans)} of {comparison.consumer_count} consumers of type "
        f"{consumer_type} are orphans."
    )


def _minute(moment):
    return "-" if moment is None else display.minute(moment)
