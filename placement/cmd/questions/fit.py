"""placement-manage fit: how often a request could be claimed, and what stops it.

The exit status is 0 if it fits at least once, 1 if not, and 2 for a mistake by the caller.
Source: doc/how-to/fit.rst.
"""

import collections
import functools
import json
import sys

from placement import schemas
from placement.candidates.fits import fit
from placement.candidates.why import unknown_names
from placement.candidates.why.plurals import counted
from placement.cmd import command_line, display, layout, listing, mistakes, searching
from placement.cmd.questions import mix
from placement.conf.operator_names import GivenNames
from placement.documents import fit as fit_document
from placement.microversion import newest
from placement.queries import fit_query, query_string

COMMAND = "fit"

_COLUMNS = ("Host", "UUID", "Fit", "Stopped by")
_BAR_WIDTH = 40
# The default of --top.
TOP = 20


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(
        categories, COMMAND, "Show how often a request could be claimed.", run
    )
    parser.add_argument(
        "query",
        metavar="QUERY",
        nargs="?",
        help=searching.QUERY_HELP,
    )
    parser.add_argument(
        "--mix",
        metavar="FILE",
        help="instead of QUERY, a file of requests that have to fit together: on each line a name, "
        "a number, and a query",
    )
    several = functools.partial(parser.add_argument, action="append", default=[])
    several("--exclude", metavar="HOST", help="what if this host were drained")
    several("--ratio", metavar="CLASS:RATIO", help="what if a class had this allocation ratio")
    several("--add", metavar="HOST:NUMBER", help="what if there were more empty hosts like this")
    parser.add_argument("--bound", metavar="N", help="stop counting at this number")
    parser.add_argument(
        "--top",
        metavar="N",
        help=f"how many hosts to show, up to {schemas.operator.fit.MOST_TOP:,} ({TOP})",
    )
    listing.add_options(parser, _COLUMNS, listing.JSON_OPTION)


def run(configuration):
    """Print how often the request fits; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    if options.mix is not None:
        return mix.run(configuration)
    if options.query is None:
        raise mistakes.Mistake("A query is required, or a file with --mix.")
    query = _query_text(options)
    top = str(TOP) if options.top is None else options.top
    with mistakes.of_query():
        question = searching.read_question(query, {"top": top}, fit_query, since=newest)
        with searching.connection(configuration) as conn:
            answer = fit.count(conn, *question, searching.effort_for(configuration))
    add_names = GivenNames(configuration.operator.names).added_to
    if options.json:
        print(json.dumps(fit_document.document(query, answer), indent=2))
    elif listing.is_wanted(options):
        _print_unknown(answer, add_names, sys.stderr)
        listing.write(options, _COLUMNS, _rows(answer))
    else:
        _print(answer, add_names)
    return 0 if answer.times else 1


def _query_text(options):
    """Return the query string that asks the service the same question."""
    what_ifs = [
        (name, value)
        for name in ("exclude", "ratio", "add")
        for value in getattr(options, name)
    ]
    if options.bound is not None:
        what_ifs.append(("bound", options.bound))
    query = query_string.interpret(options.query)
    return f"{query}&{searching.encoded(what_ifs)}" if what_ifs else query


def _rows(answer):
    """Yield a row for each host that is listed."""
    for host in answer.hosts:
        yield [host.name, host.uuid, host.times, _stopped_by(host)]


def _print_unknown(answer, add_names, file):
    """Print the unknown names; `add_names` adds the operator's names to the ids in a string."""
    for name in answer.unknown:
        print(layout.folded(add_names(unknown_names.sentence(name))), file=file)


def _print(answer, add_names):
    _print_unknown(answer, add_names, sys.stdout)
    hosts = sum(answer.hosts_by_fit.values())
    print(display.coloured(_summary(answer.times, hosts), "bold"))
    if answer.hosts:
        print(f"\n{_hosts(answer.hosts, hosts)}")
    if answer.hosts_by_fit:
        print("\nHow often it fits, and on how many hosts:")
        print(_bars(_histogram(answer.hosts_by_fit)))
    if answer.stopped_by:
        print("\nWhat stops it, and on how many hosts:")
        stopped = answer.stopped_by.items()
        print(_bars([(fit_document.reason(stop), number) for stop, number in stopped]))
    print("\nLeft over on hosts that lack nothing but room:")
    left = [[class_name, f"{amount:,}"] for class_name, amount in answer.stranded.items()]
    print(layout.columns(left, align="lr"))


def _summary(fit, hosts):
    """Return the sentence that says how often the request fits, and on how many hosts."""
    if not fit:
        return "It does not fit anywhere."
    return f"It fits {counted(fit, 'time')}, on {counted(hosts, 'host')}."


def _hosts(listed, hosts):
    """Return a table of the `listed` HostFits; `hosts` counts all hosts where the request fits."""
    most = listed[0].times
    rows = [
        [
            display.host(host.name, host.is_disabled),
            f"{host.times:,}",
            display.Bar(host.times, most, _BAR_WIDTH),
            _stopped_by(host),
        ]
        for host in listed
    ]
    table = layout.columns(rows, align="lrll", header=["Host", "Fit", "", "Stopped by"])
    left = hosts - len(listed)
    return f"{table}\n  and {left:,} more (--top)" if left else table


def _stopped_by(host):
    """Return in words why no more fit on a host; without a reason, --bound ended the count."""
    return fit_document.reason(host.stopped_by) if host.stopped_by else "the bound"


def _histogram(hosts_by_fit):
    """Return [(how often it fits, number of hosts)], such as [("1-5", 20)]; ten ranges at most.

    `hosts_by_fit` is {how often it fits: number of hosts}.
    """
    if len(hosts_by_fit) <= 10:
        return [(f"{fit_count:,}", number) for fit_count, number in hosts_by_fit.items()]
    # -(-n // 10) is a tenth of n, rounded up.
    width = -(-max(hosts_by_fit) // 10)
    ranges = collections.Counter()
    for fit_count, number in hosts_by_fit.items():
        ranges[(fit_count - 1) // width] += number
    return [(f"{n * width + 1:,}-{(n + 1) * width:,}", ranges[n]) for n in sorted(ranges)]


def _bars(named_numbers):
    """Return a table of [(name, number)], with a bar for each number."""
    most = max(number for _, number in named_numbers)
    rows = [
        [name, f"{number:,}", display.Bar(number, most, _BAR_WIDTH)]
        for name, number in named_numbers
    ]
    return layout.columns(rows, align="rrl")
