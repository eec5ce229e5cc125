"""placement-manage history: what was changed, when, and by whom.

The exit status is 0 if something was changed, 1 if not, or 2 for a mistake by the caller.
Source: doc/how-to/changes.rst.
"""

import itertools
import json
import sys
import time
from typing import NamedTuple

from oslo_utils import uuidutils

from placement.cmd import command_line, layout, listing, mistakes, progress
from placement.conf import opts
from placement.conf.operator_names import GivenNames
from placement.documents import changes as documents
from placement.documents import differences
from placement.objects.feed import reading
from placement.queries import duration, moments

COMMAND = "history"

_COLUMNS = (
    *("Time", "By", "User", "Project", "Operation", "Kind", "UUID", "Name", "Change"),
    *("Request ID", "Position"),
)
_SHOWN = ("Time", "By", "Kind", "What", "Change")
# The default of --since.
SINCE = "1d"
# Seconds between two checks for newer changes.
INTERVAL = 1


class _Row(NamedTuple):
    """The cells of a change, under _COLUMNS."""

    time: str
    by: str
    user: str | None
    project: str | None
    operation: str | None
    kind: str
    uuid: str
    name: str | None
    change: str
    request_id: str | None
    position: int


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(categories, COMMAND, "Show what was changed, when, and by whom.", run)
    subject = parser.add_mutually_exclusive_group()
    subject.add_argument(
        "--host", metavar="HOST", help="only this host and everything below it, by its name or UUID"
    )
    subject.add_argument("--consumer", metavar="UUID", help="only this consumer")
    subject.add_argument("--project", metavar="ID", help="only consumers of this project")
    subject.add_argument("--actor", metavar="ID", help="only changes by this user")
    parser.add_argument(
        "--since",
        type=command_line.past,
        default=SINCE,
        metavar="TIME",
        help=f"how far to look back, such as {duration.EXAMPLES} (%(default)s), or since when, "
        f"such as {moments.EXAMPLES}, in UTC",
    )
    parser.add_argument(
        "--follow", action="store_true", help="keep running, and print each change as a line"
    )
    listing.add_options(parser, _COLUMNS, listing.JSON_OPTION)


def run(configuration):
    """Print the changes; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    if options.follow:
        listing.refuse_rows(options, "--follow")
    consumer = options.consumer
    if consumer is not None and not uuidutils.is_uuid_like(consumer):
        raise mistakes.Mistake(f"--consumer takes a UUID, and not {consumer!r}.")
    database = mistakes.connect_to_migrated(configuration)
    given_names = GivenNames(configuration.operator.names)
    tree = None if options.host is None else _host(database, options.host)
    if options.follow:
        # This goes on until the program is interrupted.
        _follow(options, database, tree, given_names)
    with progress.shown("Reading the changes") as line:
        pages = _pages(database, _filters(options), tree)
        # A page may be empty even if later ones are not.
        for first_page in pages:
            changes, _ = first_page
            is_found = bool(changes)
            if is_found:
                break
        pages = line.replaced_by(itertools.chain([first_page], pages))
        if options.json:
            for piece in documents.as_document(pages):
                sys.stdout.write(piece.decode())
        elif listing.is_wanted(options):
            rows = (row for changes, _ in pages for row in _rows(database, changes, given_names))
            listing.write(options, _COLUMNS, rows)
        elif is_found:
            _print(database, pages, given_names)
        else:
            line.end()
            print("Nothing was changed.")
    if not is_found and not opts.keeps_changes(configuration):
        print("Changes are not recorded: [operator] history_days is 0.", file=sys.stderr)
    return 0 if is_found else 1


def _host(database, text):
    """Return the UUID of the provider with this name or UUID, even if the provider was deleted.

    Raises: Mistake.
    """
    found = reading.find_provider(database, text)
    if found is None:
        raise mistakes.Mistake(
            f"No provider with the name or UUID {text!r} exists, and none is in the changes that "
            "are kept."
        )
    return found


def _filters(options):
    return reading.ChangeFilters(
        consumer=options.consumer,
        project=options.project,
        actor=options.actor,
        since=options.since,
    )


def _pages(database, filters, tree, after=None):
    """Yield (changes, the position to continue after), up to the newest change."""
    while True:
        changes, position = reading.page_after(database, after, filters=filters, tree=tree)
        yield changes, position
        if position == after:
            return
        after = position


def _follow(options, database, tree, given_names):
    """Print a line for each change until the program is interrupted; `tree` is a UUID, or None."""
    after = None
    while True:
        for changes, position in _pages(database, _filters(options), tree, after):
            for line in _lines(options, database, changes, given_names):
                print(line)
            after = position
        sys.stdout.flush()
        time.sleep(INTERVAL)


def _lines(options, database, changes, given_names):
    """Return a line for each change: as JSON, or the cells of its row."""
    if options.json:
        return [json.dumps(documents.shown(change)) for change in changes]
    return ["  ".join(filter(None, row)) for row in _shown(database, changes, given_names)]


def _print(database, pages, given_names):
    """Print one table for each page, because column widths depend on all rows of a table."""
    for changes, _ in pages:
        if changes:
            rows = _shown(database, changes, given_names)
            print(layout.columns(rows, align="lllll", header=list(_SHOWN)))


def _shown(database, changes, given_names):
    """Yield a row for each change: one string for each heading in _SHOWN."""
    for change, row in zip(changes, _rows(database, changes, given_names), strict=True):
        # A change by another program has neither a user nor an operation.
        who = row.by if row.by == "database" else row.user or row.operation
        what = change.name or change.uuid
        yield [
            row.time,
            given_names.added_to(who),
            row.kind,
            given_names.added_to(what),
            given_names.added_to(row.change),
        ]


def _rows(database, changes, given_names):
    """Yield a _Row for each change; `given_names` has the names that the operator gave."""
    providers = reading.names_of_providers(database, changes)
    name_by_uuid = given_names.of({change.uuid for change in changes})
    for change in changes:
        shown = documents.shown(change)
        yield _Row(
            time=f"{change.written_at:%Y-%m-%d %H:%M:%S}",
            by=shown["by"],
            user=change.user_id,
            project=change.project_id,
            operation=change.operation,
            kind=change.kind,
            uuid=change.uuid,
            name=change.name or name_by_uuid.get(change.uuid),
            change=", ".join(map(str, differences.of(change, providers))),
            request_id=change.request_id,
            position=change.position,
        )
