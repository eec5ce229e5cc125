"""placement-manage capacity: how full the cloud is.

The exit status is 0, or 2 for a mistake by the caller.
Source: doc/how-to/capacity.rst.
"""

import json
from typing import NamedTuple

from placement import schemas
from placement.cmd import command_line, display, layout, listing, mistakes, progress
from placement.cmd.capacity_samples import capacity_history, columns, csv_import
from placement.cmd.capacity_samples.columns import Column
from placement.conf.operator_names import GivenNames
from placement.documents import capacity_report as capacity_document
from placement.objects import capacity_report
from placement.queries import duration

COMMAND = "capacity"


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(categories, COMMAND, "Show how full the cloud is.", run)
    parser.add_argument(
        "--by",
        choices=capacity_report.GROUPINGS,
        default=capacity_report.BY_CLASS,
        help="add up all providers (class), those of each aggregate or trait, or what each project "
        "or consumer type uses",
    )
    parser.add_argument(
        "--top",
        type=int,
        metavar="N",
        help=f"how many of the fullest providers to show ({schemas.operator.capacity.TOP})",
    )
    _add_options_of_samples(parser)
    listing.add_options(parser, columns.NAMES, listing.JSON_OPTION)


def _add_options_of_samples(parser):
    group = parser.add_argument_group("history")
    since_or_import = group.add_mutually_exclusive_group()
    since_or_import.add_argument(
        "--since",
        type=command_line.duration,
        metavar="TIME",
        help=f"show how full the cloud was over this period, such as {duration.EXAMPLES}, and when "
        "it would be full at this pace",
    )
    group.add_argument(
        "--step",
        type=command_line.duration,
        metavar="TIME",
        help="with --since, take only the last sample in each step of this length "
        f"({capacity_history.STEP})",
    )
    since_or_import.add_argument(
        "--import",
        dest="imported",
        metavar="FILE",
        help="store samples from a CSV file, or from standard input (-), as -f csv prints them",
    )
    group.add_argument(
        "--replace",
        action="store_true",
        help="with --import, also store samples for hours that already have one",
    )


def run(configuration):
    """Print how full the cloud is; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    _check_combination(options)
    database = mistakes.connect_to_migrated(configuration)
    if options.imported is not None:
        csv_import.store(options, database, configuration.operator.capacity_history_days)
        return 0
    if options.since:
        capacity_history.show(options, database)
        return 0
    with progress.shown(progress.READING_THE_CLOUD), database.reports() as conn:
        # With a negative number, none are shown.
        top = schemas.operator.capacity.TOP if options.top is None else max(0, options.top)
        report = capacity_report.measure(conn, options.by, top)
    if options.json:
        print(json.dumps(capacity_document.document(report), indent=2))
    elif listing.is_wanted(options):
        listing.write(options, columns.NAMES, _rows(report, _names(configuration, report)))
    else:
        _print(report, _names(configuration, report))
    return 0


def _check_combination(options):
    """Raises: Mistake for an option that would have no effect in this combination."""
    for_printing = [options.by != capacity_report.BY_CLASS, options.top is not None, options.json]
    if options.imported is not None and (
        any([*for_printing, options.step]) or listing.is_wanted(options)
    ):
        raise mistakes.Mistake("The only other option that --import takes is --replace.")
    if options.step and not options.since:
        raise mistakes.Mistake("--step can only be used with --since.")
    if options.replace and options.imported is None:
        raise mistakes.Mistake("--replace can only be used with --import.")
    if options.top is not None and options.since:
        raise mistakes.Mistake("--top cannot be used with --since.")
    listing.refuse_top(options)


def _names(configuration, report):
    """Return {group: name} of the groups to which the operator has given a name."""
    # A report has usages if it is grouped by owners, and otherwise sums.
    groups = {each.group for each in report.usages or report.sums}
    return GivenNames(configuration.operator.names).of(groups)


def _rows(report, names):
    """Yield a row for each class or, if there are groups, for each class in each group."""
    # The capacity is that of all providers: projects and consumer types only use what they offer.
    if report.by in capacity_report.OWNERS:
        capacities = report.capacities
        for usage in report.usages:
            capacity = capacities.get(usage.class_name, 0)
            yield _row(usage, names, {Column.CAPACITY: capacity, Column.CONSUMERS: usage.consumers})
        return
    for sums in report.sums:
        cells = {
            Column.CAPACITY: sums.capacity,
            Column.TOTAL: sums.total,
            Column.RESERVED: sums.reserved,
            Column.LARGEST_FREE: sums.largest_free,
            Column.PROVIDERS: sums.providers,
            Column.FULL: sums.full,
        }
        yield _row(sums, names, cells)


def _row(row, names, cells):
    """Return a row for a Sum or an OwnerUsage; `cells` are those that the two do not share."""
    cells = cells | {
        Column.GROUP: row.group,
        Column.NAME: names.get(row.group),
        Column.CLASS: row.class_name,
        Column.USED: row.used,
    }
    return columns.row(cells)


def _print(report, names):
    """Print a CapacityReport as readable text; `names` is {group: name}."""
    print(display.coloured(f"Hosts: {report.host_count:,}", "bold"))
    print(f"\n{_usages(report, names) if report.usages else _sums(report, names)}")
    if report.by != capacity_report.BY_CLASS:
        print(f"\n{layout.folded(capacity_report.COUNTED[report.by])}")
    if report.fullest:
        print_fullest(report.fullest)


def print_fullest(fullest):
    """Print a table of the fullest inventories."""
    print("\nThe fullest:")
    rows = [[each.name, each.class_name, *display.filled(each)] for each in fullest]
    print(layout.columns(rows, align="llrlrr", header=["Provider", Column.CLASS, *display.FILLED]))


def _group_header(report, names):
    """Return the headers of the columns that say which group a row is about."""
    return [report.by.replace("_", " ").capitalize(), *([Column.NAME] if names else [])]


def _group_cells(row, names):
    """Return the cells that say which group a row is about."""
    return [row.group, *([names.get(row.group, "")] if names else [])]


def _sums(report, names):
    """Return the table of the report's sums, whether or not they are grouped."""
    groups = [] if report.by == capacity_report.BY_CLASS else _group_header(report, names)
    of_sums = [Column.RESERVED, Column.LARGEST_FREE, Column.FULL]
    header = [*groups, Column.CLASS, *display.FILLED, *of_sums]
    rows = [
        [
            *(_group_cells(sums, names) if groups else []),
            sums.class_name,
            *display.filled(sums),
            f"{sums.reserved:,}",
            f"{sums.largest_free:,}",
            f"{sums.full:,}",
        ]
        for sums in report.sums
    ]
    return layout.columns(rows, align="l" * len(groups) + "lrlrrrrr", header=header)


class _Filled(NamedTuple):
    """The attributes that display.filled() reads."""

    used: int
    capacity: int


def _usages(report, names):
    """Return the table of what projects, or consumer types, use."""
    capacities = report.capacities
    groups = _group_header(report, names)
    header = [*groups, Column.CLASS, *display.FILLED, Column.CONSUMERS]
    rows = [
        [
            *_group_cells(usage, names),
            usage.class_name,
            *display.filled(_Filled(usage.used, capacities.get(usage.class_name, 0))),
            f"{usage.consumers:,}",
        ]
        for usage in report.usages
    ]
    return layout.columns(rows, align="l" * len(groups) + "lrlrrr", header=header)
