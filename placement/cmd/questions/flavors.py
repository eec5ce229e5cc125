"""placement-manage flavors: how many more instances of each flavor fit.

The exit status is 0 if each fits at least once, 1 if not, and 2 for a mistake by the caller.
Source: doc/how-to/flavors.rst.
"""

import json
import sys

from placement.candidates.why.plurals import counted
from placement.cmd import command_line, display, layout, listing, mistakes, progress, searching
from placement.documents import flavors as flavors_document
from placement.flavors import counting, flavor_file

COMMAND = "flavors"

_COLUMNS = ("Flavor", "Fit", "Hosts", "Stopped by", "Query")
_BAR_WIDTH = 30


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(
        categories, COMMAND, "Show how many more instances of each flavor fit.", run
    )
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="flavors, as 'openstack flavor list --long -f json' prints them, or a line for each; "
        "by default the file set as [metrics] flavors",
    )
    listing.add_options(parser, _COLUMNS, listing.JSON_OPTION)


def run(configuration):
    """Print how often each flavor fits; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    flavors = _load(options.file or configuration.metrics.flavors)
    database = mistakes.connect_to_migrated(configuration)
    with progress.shown(progress.READING_THE_CLOUD) as line:
        with database.reports() as conn:
            state = counting.read(conn, flavors)
        fits = []
        for number, flavor in enumerate(flavors, start=1):
            line.tell_number(f"Counting {counted(len(flavors), 'flavor')}", number)
            effort = searching.effort_for(configuration)
            fits.append(counting.count(state, flavor, effort))
    if options.json:
        print(json.dumps(flavors_document.of_all(fits), indent=2))
    elif listing.is_wanted(options):
        listing.write(options, _COLUMNS, map(_row, fits))
    else:
        _print(fits)
    return 0 if all(flavor_fit.times for flavor_fit in fits) else 1


def _load(path):
    """Return the Flavors in a file. Raises: Mistake, also if `path` is None."""
    if path is None:
        raise mistakes.Mistake("A file of flavors is required, here or as [metrics] flavors.")
    try:
        return flavor_file.load(path)
    except flavor_file.UnreadableFlavors as error:
        raise mistakes.Mistake(error) from error


def _row(each):
    """Return the cells of a FlavorFit, under _COLUMNS."""
    why = flavors_document.why(each)
    return [each.flavor.name, each.times, each.host_count, why, each.flavor.query]


def _print(fits):
    """Print a table of FlavorFits."""
    most = max((flavor_fit.times or 0 for flavor_fit in fits), default=0)
    rows = [
        [
            flavor_fit.flavor.name,
            # The number is None if counting took too long.
            "-" if flavor_fit.times is None else f"{flavor_fit.times:,}",
            display.Bar(flavor_fit.times or 0, most, _BAR_WIDTH),
            f"{flavor_fit.host_count:,}",
            flavors_document.why(flavor_fit) or "",
        ]
        for flavor_fit in fits
    ]
    print(layout.columns(rows, align="lrlrl", header=["Flavor", "Fit", "", "Hosts", "Stopped by"]))
    for flavor_fit in fits:
        if flavor_fit.flavor.ignored:
            ignored = ", ".join(flavor_fit.flavor.ignored)
            print(f"Not considered for {flavor_fit.flavor.name}: {ignored}", file=sys.stderr)
