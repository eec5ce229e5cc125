"""placement-manage providers: all providers, with everything they have.

The exit status is 0, or 2 for a mistake by the caller.
Source: doc/how-to/everything.rst.
"""

import csv
import sys

from placement.candidates.why import spelling, unknown_names
from placement.cmd import command_line, display, layout, listing, mistakes, progress
from placement.documents import whole_providers
from placement.microversion import newest
from placement.objects import resource_provider as providers
from placement.queries import provider_query, query_string

COMMAND = "providers"

_PROVIDER_FIELDS = ("uuid", "name", "generation", "parent_provider_uuid", "root_provider_uuid")
_COLUMNS = (
    *("UUID", "Provider", "Generation", "Parent UUID", "Root UUID", "Class", "Total", "Reserved"),
    *("Min unit", "Max unit", "Step size", "Allocation ratio", "Capacity", "Used"),
)


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(categories, COMMAND, "Show all providers and their inventories.", run)
    parser.add_argument(
        "query",
        nargs="?",
        default="",
        metavar="QUERY",
        help="a query for a list of providers, such as in_tree=UUID, or amounts, such as VCPU:4",
    )
    parser.add_argument(
        "--consumers", action="store_true", help="also show allocations (in JSON)"
    )
    listing.add_options(
        parser,
        _COLUMNS,
        listing.JSON_OPTION,
        ("--csv", "print a line of CSV for each inventory"),
    )


def run(configuration):
    """Print the providers; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    database = mistakes.connect_to_migrated(configuration)
    with mistakes.of_query():
        query = query_string.interpret(options.query)
        pairs = query_string.of_argument(query, provider_query.validator(since=newest))
        filters = provider_query.filters(pairs, since=newest)
        with (
            spelling.with_suggestions(database),
            progress.shown("Reading the providers") as line,
            database.reports() as conn,
        ):
            _warn_of_unknown(conn, filters)
            batches = providers.whole(conn, filters, with_allocations=options.consumers)
            whole = (provider for batch in batches for provider in batch)
            # The first provider ends the line that shows the progress.
            if options.json:
                _print_json(line.replaced_by(whole))
            elif options.csv:
                _print_csv(line.replaced_by(whole))
            elif listing.is_wanted(options):
                listing.write(options, _COLUMNS, _rows(line.replaced_by(whole)))
            else:
                table = _table(whole)
                line.end()
                print(table)
    return 0


def _warn_of_unknown(conn, filters):
    """Warn on standard error about UUIDs that do not exist. The API accepts them silently."""
    for each in spelling.unknown(conn, **providers.unknown_uuids(conn, filters)):
        print(f"placement-manage: {unknown_names.sentence(each)}", file=sys.stderr)


def _print_json(whole):
    """Print the document of all providers, piece by piece; `whole` yields WholeProviders."""
    for piece in whole_providers.as_document(map(whole_providers.as_json, whole)):
        sys.stdout.write(piece.decode())
    print(whole_providers.end_of_document().decode())


def _print_csv(whole):
    """Print a line for each inventory; `whole` yields WholeProviders."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(_PROVIDER_FIELDS + providers.WholeInventory._fields)
    for provider in whole:
        if provider.inventories:
            writer.writerows(_rows([provider]))


def _rows(whole):
    """Yield a row for each inventory of WholeProviders, and one for each provider that has none."""
    nothing = [None] * len(providers.WholeInventory._fields)
    for each in whole:
        own_cells = [getattr(each.provider, field) for field in _PROVIDER_FIELDS]
        for inventory in each.inventories or [nothing]:
            yield [*own_cells, *inventory]


def _table(whole):
    """Return a table of the inventories; only a provider's first row has the provider's name."""
    header = ["Provider", "Class", *display.FILLED, "Total", "Reserved"]
    no_inventory = [""] * (len(header) - 1)
    rows = []
    for each in whole:
        cells = [
            [row.resource_class, *display.filled(row), f"{row.total:,}", f"{row.reserved:,}"]
            for row in each.inventories
        ] or [no_inventory]
        names = [each.provider.name, *[""] * (len(cells) - 1)]
        rows += [[name, *row] for name, row in zip(names, cells, strict=True)]
    return layout.columns(rows, align="llrlrrrr", header=header)
