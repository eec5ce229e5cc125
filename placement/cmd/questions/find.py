"""placement-manage find: find things whose name or UUID begins with a string.

The exit status is 0 if something is found, 1 if not, or 2 for a mistake by the caller.
Source: doc/how-to/find.rst.
"""

import json

from placement.cmd import command_line, display, layout, listing, mistakes, progress
from placement.conf.operator_names import GivenNames
from placement.documents import find as find_document
from placement.objects.find_by_name import matches

COMMAND = "find"

_COLUMNS = ("Kind", "ID", "Name", "Hosts", "Project", "Type")


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(
        categories, COMMAND, "Find hosts, consumers, projects, aggregates, traits and classes.", run
    )
    parser.add_argument(
        "text",
        metavar="TEXT",
        help="the beginning of a name or UUID; of a trait or class, any part of its name",
    )
    listing.add_options(parser, _COLUMNS, listing.JSON_OPTION)


def run(configuration):
    """Print what was found; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    if not options.text:
        raise mistakes.Mistake("The text is empty: give the beginning of a name or UUID.")
    names = GivenNames(configuration.operator.names)
    database = mistakes.connect_to_migrated(configuration)
    with progress.shown("Searching"), database.reports() as conn:
        lookup = matches(conn, options.text, names)
    if options.json:
        print(json.dumps(find_document.document(options.text, lookup), indent=2))
    elif listing.is_wanted(options):
        listing.write(options, _COLUMNS, map(_row, lookup.found))
    else:
        _print(lookup, names)
    return 0 if lookup.found else 1


def _row(match):
    """Return the cells of a Match, under _COLUMNS."""
    # Only a consumer has an owner and a type.
    owned = match.owned
    return [
        match.kind.value,
        match.id,
        match.name,
        # A host that was found is also among its own hosts.
        ", ".join(host.host_name for host in match.hosts if host.host_uuid != match.id),
        owned and owned.project_id,
        owned and owned.consumer_type,
    ]


def _print(lookup, names):
    """Print a Lookup as readable text; `names` has the names that the operator gave."""
    shown = find_document.notes_on(lookup)
    if lookup.found:
        rows = [_cells(match, names) for match in lookup.found]
        shown = [layout.columns(rows, align="llllll", header=list(_COLUMNS)), *shown]
    print("\n\n".join(shown))


def _cells(match, names):
    """Return the cells of a Match for a table: the project with its name, disabled hosts marked."""
    is_disabled = any(host.is_disabled and host.host_uuid == match.id for host in match.hosts)
    hosts = ", ".join(
        display.host(host.host_name, host.is_disabled)
        for host in match.hosts
        if host.host_uuid != match.id
    )
    project = names.added_to(match.owned.project_id) if match.owned else ""
    consumer_type = match.owned.consumer_type if match.owned else None
    shown = display.host(match.name or "", is_disabled)
    return [match.kind.value, match.id, shown, hosts, project, consumer_type or ""]
