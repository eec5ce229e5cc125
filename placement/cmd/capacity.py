"""placement-manage capacity: how full the cloud is.

The exit status is 0, or 2 for a mistake of the caller.
Source: doc/how-to/capacity.rst.
"""

import json

from placement.cmd import display, mistakes
from placement.documents import capacity_report as capacity_document
from placement.objects import capacity_report

COMMAND = "capacity"


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = categories.add_parser(COMMAND, help="Show how full the cloud is.")
    parser.set_defaults(run=run, needs_database=True)
    parser.add_argument(
        "--by",
        choices=capacity_report.GROUPINGS,
        default="class",
        help="add up all providers (class), or those of each aggregate or trait",
    )
    parser.add_argument(
        "--top",
        type=int,
        default=capacity_report.TOP,
        metavar="N",
        help=f"how many of the fullest providers to show ({capacity_report.TOP})",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(configuration):
    """Print how full the cloud is; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    with mistakes.connect_to_migrated(configuration).reports() as conn:
        found = capacity_report.measure(conn, options.by, max(0, options.top))
    if options.json:
        print(json.dumps(capacity_document.document(found), indent=2))
    else:
        _print(found)
    return 0


def _print(found):
    print(display.coloured(f"Hosts: {found.hosts:,}", "bold"))
    groups = [] if found.by == "class" else [found.by.capitalize()]
    header = [*groups, "Class", *display.FILLED, "Reserved", "Largest free", "Full"]
    rows = [
        [
            *([each.group] if groups else []),
            each.class_name,
            *display.filled(each),
            f"{each.reserved:,}",
            f"{each.largest_free:,}",
            f"{each.full:,}",
        ]
        for each in found.sums
    ]
    align = "l" * len(groups) + "lrlrrrrr"
    print(f"\n{display.columns(rows, align, header)}")
    if groups:
        print(f"\nA provider counts in each of its {found.by}s.")
    if found.fullest:
        print("\nThe fullest:")
        rows = [[each.name, each.class_name, *display.filled(each)] for each in found.fullest]
        print(display.columns(rows, "llrlrr", ["Provider", "Class", *display.FILLED]))

