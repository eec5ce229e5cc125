"""placement-manage flavors: how many more instances of each flavor fit.

The exit status is 0 if each fits at least once, 1 if not, and 2 for a mistake of the caller.
Source: doc/how-to/flavors.rst.
"""

import json
import sys

from placement.candidates.why.plurals import counted
from placement.cmd import display, layout, listing, mistakes, progress, searching
from placement.documents import flavors as flavors_document
from placement.flavors import counting, reading

COMMAND = "flavors"

_COLUMNS = ("Flavor", "Fit", "Hosts", "Stopped by", "Query")
_BAR_WIDTH = 30


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = categories.add_parser(
        COMMAND, help="Show how many more instances of each flavor fit."
    )
    parser.set_defaults(run=run, needs_database=True)
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="flavors, as 'openstack flavor list --long -f json' prints them, or a line for each; "
        "by default the file that [metrics] flavors names",
    )
    listing.add_options(parser, _COLUMNS, listing.DOCUMENT)


def run(configuration):
    """Print how often each flavor fits; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    flavors = _load(options.file or configuration.metrics.flavors)
    database = mistakes.connect_to_migrated(configuration)
    with progress.shown("Reading the cloud") as line:
        with database.reports() as conn:
            state = counting.read(conn, flavors)
        found = []
        for number, flavor in enumerate(flavors, start=1):
            line.tell(f"Counting {counted(len(flavors), 'flavor')}, one at a time: {number:,}")
            effort = searching.effort_for(configuration)
            found.append(counting.count(state, flavor, effort))
    if options.json:
        print(json.dumps(flavors_document.of_all(found), indent=2))
    elif listing.is_wanted(options):
        listing.write(options, _COLUMNS, map(_row, found))
    else:
        _print(found)
    return 0 if all(each.fit for each in found) else 1


def _load(path):
    if path is None:
        raise mistakes.Mistake("A file of flavors is required, here or as [metrics] flavors.")
    try:
        return reading.load(path)
    except reading.UnreadableFlavors as error:
        raise mistakes.Mistake(error) from error


def _row(each):
    return [each.flavor.name, each.fit, each.hosts, flavors_document.why(each), each.flavor.query]


def _print(found):
    most = max((each.fit or 0 for each in found), default=0)
    rows = [
        [
            each.flavor.name,
            "-" if each.fit is None else f"{each.fit:,}",
            display.Bar(each.fit or 0, most, _BAR_WIDTH),
            f"{each.hosts:,}",
            flavors_document.why(each) or "",
        ]
        for each in found
    ]
    print(layout.columns(rows, "lrlrl", ["Flavor", "Fit", "", "Hosts", "Stopped by"]))
    for each in found:
        if each.flavor.ignored:
            ignored = ", ".join(each.flavor.ignored)
            print(f"Not considered for {each.flavor.name}: {ignored}", file=sys.stderr)
