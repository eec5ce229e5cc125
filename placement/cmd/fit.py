"""placement-manage fit: how often could a request be claimed, and what stops it?

The exit status is 0 if it fits at least once, 1 if not, and 2 for a mistake of the caller.
Source: doc/fit.rst.
"""

import collections
import functools
import json
import urllib.parse

import prettytable
import webob.exc

from placement import exception
from placement.candidates import fit
from placement.candidates.effort import Effort
from placement.cmd import mistakes
from placement.cmd.bars import bar
from placement.handlers import fit as handler
from placement.handlers import unversioned
from placement.handlers.request import Request

COMMAND = "fit"
# The exit status for a mistake of the caller.
MISTAKEN = 2

_BAR_WIDTH = 40


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = categories.add_parser(COMMAND, help="Say how often a request could be claimed.")
    parser.set_defaults(run=run, needs_database=True)
    parser.add_argument(
        "query",
        metavar="QUERY",
        help="that of allocation candidates, such as 'resources=VCPU:4&required=CUSTOM_GOLD'",
    )
    several = functools.partial(parser.add_argument, action="append", default=[])
    several("--exclude", metavar="UUID", help="without this host, as if it were drained")
    several("--ratio", metavar="CLASS:RATIO", help="with another allocation ratio of a class")
    several("--add", metavar="UUID:NUMBER", help="with so many more empty hosts like this one")
    parser.add_argument("--bound", metavar="N", help="stop counting at this number")
    parser.add_argument(
        "--top", type=int, default=20, metavar="N", help="how many hosts to show (20)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(configuration):
    """Print how often the request fits; return the exit status."""
    with mistakes.reported_by("placement-manage", MISTAKEN):
        options = configuration.category
        query_string = _query_string(options)
        effort = Effort(configuration.placement.max_search_effort)
        try:
            asked = handler.question(Request.blank(f"/?{query_string}"), unversioned.newest)
            found = fit.count(mistakes.connect_to_migrated(configuration), *asked, effort)
        except (exception.InvalidValue, webob.exc.HTTPBadRequest) as error:
            raise mistakes.Mistake(" ".join(str(error).split())) from error
        if options.json:
            print(json.dumps(handler.document(query_string, found), indent=2))
        else:
            _print(found, options.top)
        return 0 if found.fit else 1


def _query_string(options):
    """The query of a request for the same."""
    what_ifs = [
        (name, value)
        for name in ("exclude", "ratio", "add")
        for value in getattr(options, name)
    ]
    if options.bound is not None:
        what_ifs.append(("bound", options.bound))
    query = options.query.rpartition("?")[2]
    return "&".join([query, *([urllib.parse.urlencode(what_ifs)] if what_ifs else [])])


def _print(found, top):
    hosts = "1 host" if len(found.hosts) == 1 else f"{len(found.hosts):,} hosts"
    print(f"It fits {found.fit:,} times, on {hosts}.")
    if found.hosts:
        _print_hosts(found.hosts, top)
        _print_histogram(found.hosts)
    print("\nWhat stops it, and on how many hosts:")
    _print_bars(list(found.stopped_by.items()))
    print("\nLeft on hosts that only lack room:")
    for class_name, amount in found.stranded.items():
        print(f"  {class_name} {amount:,}")


def _print_hosts(hosts, top):
    fullest = sorted(hosts, key=lambda host: -host.fit)[: max(0, top)]
    most = max(host.fit for host in hosts)
    table = prettytable.PrettyTable(["Host", "Fit", "", "Stopped by"], align="l")
    table.align["Fit"] = "r"
    for host in fullest:
        stopped_by = host.stopped_by or "the bound"
        table.add_row([host.name, f"{host.fit:,}", bar(host.fit, most, _BAR_WIDTH), stopped_by])
    print(table)
    if left := len(hosts) - len(fullest):
        print(f"and {left:,} more (--top)")


def _print_histogram(hosts):
    """Print how many hosts fit it how often; in ten ranges where there are more numbers."""
    counts = collections.Counter(host.fit for host in hosts)
    print("\nHow often it fits, and on how many hosts:")
    if len(counts) > 10:
        width = -(-max(counts) // 10)
        ranges = collections.Counter()
        for fit_count, number in counts.items():
            ranges[(fit_count - 1) // width] += number
        bars = [(f"{n * width + 1}-{(n + 1) * width}", ranges[n]) for n in sorted(ranges)]
    else:
        bars = [(str(fit_count), counts[fit_count]) for fit_count in sorted(counts)]
    _print_bars(bars)


def _print_bars(named_numbers):
    if not named_numbers:
        print("  nothing")
        return
    most = max(number for _, number in named_numbers)
    width = max(len(name) for name, _ in named_numbers)
    for name, number in named_numbers:
        print(f"  {name:>{width}} {number:>9,} {bar(number, most, _BAR_WIDTH)}".rstrip())
