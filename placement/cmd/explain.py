"""placement-manage explain: why does a query for allocation candidates find none, or so few?

The exit status is 0 if there are candidates, 1 if there are none, and 2 for a mistake of the
caller.
Source: doc/explanations.rst.
"""

import json
import re
import urllib.parse

import prettytable
import webob.exc

from placement import exception
from placement.candidates import explain
from placement.candidates.effort import Effort
from placement.cmd import mistakes
from placement.cmd.bars import bar
from placement.handlers import explained, explanation, unversioned
from placement.handlers.request import Request

COMMAND = "explain"
# The exit status for a mistake of the caller.
MISTAKEN = 2

_BAR_WIDTH = 30
# As the request log, and those of web servers, write it.
_IN_A_LOG = re.compile(r"/allocation_candidates\?([^\s\"]+)")


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = categories.add_parser(
        COMMAND, help="Say why a query for allocation candidates finds none, or so few."
    )
    parser.set_defaults(run=run, needs_database=True)
    parser.add_argument(
        "query",
        nargs="?",
        metavar="QUERY",
        help="what follows the question mark, such as 'resources=VCPU:4&required=CUSTOM_GOLD'",
    )
    parser.add_argument(
        "--from-log", metavar="LINE", help="a line of the request log that has the query in it"
    )
    parser.add_argument(
        "--closest", default="10", metavar="N", help="how many of the closest hosts to name (10)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(configuration):
    """Print the explanation; return the exit status."""
    with mistakes.reported_by("placement-manage", MISTAKEN):
        options = configuration.category
        query_string = _query_string(options)
        try:
            found = _explained(configuration, query_string, options.closest)
        except (exception.InvalidValue, webob.exc.HTTPBadRequest) as error:
            raise mistakes.Mistake(" ".join(str(error).split())) from error
        document = explained.document(query_string, found)
        if options.json:
            print(json.dumps(document, indent=2))
        else:
            _print(document)
        return 0 if document["candidates"] else 1


def _query_string(options):
    """Raises: Mistake."""
    if (options.query is None) == (options.from_log is None):
        raise mistakes.Mistake("explain takes either a QUERY or --from-log LINE")
    if options.query is not None:
        return options.query.rpartition("?")[2]
    match = _IN_A_LOG.search(options.from_log)
    if match is None:
        raise mistakes.Mistake("the line has no GET /allocation_candidates?... in it")
    return match[1]


def _explained(configuration, query_string, closest):
    asked = f"{query_string}&{urllib.parse.urlencode({'closest': closest})}"
    query = explanation.asked(Request.blank(f"/?{asked}"), unversioned.newest)
    database = mistakes.connect_to_migrated(configuration)
    with database.reports() as conn:
        return explain.explain(conn, *query, Effort(configuration.placement.max_search_effort))


def _print(document):
    print(document["summary"])
    _print_constraints(document["constraints"], document["hosts"]["all"])
    if document["closest"]:
        print("\nClosest hosts:")
    for host in document["closest"]:
        unmet = "; ".join(map(_unmet, host["unmet"]))
        print(f"  {host['name']} ({host['uuid']}): {unmet}")
    if document["relaxations"]:
        print("\nA single change that would help:")
    for each in document["relaxations"]:
        hosts = "1 host" if each["hosts"] == 1 else f"{each['hosts']:,} hosts"
        change = f"ask for {each['instead']}" if each["instead"] else "give it up"
        print(f"  {_named(each)}: {change} ({hosts})")


def _print_constraints(constraints, hosts):
    table = prettytable.PrettyTable(["Constraint", "Fail", "Only this", "Left", ""], align="r")
    table.align["Constraint"] = table.align[""] = "l"
    for each in constraints:
        numbers = [f"{each[column]:,}" for column in ("fail", "only", "left")]
        left = bar(each["left"], hosts, _BAR_WIDTH).ljust(_BAR_WIDTH)
        table.add_row([_named(each), *numbers, left])
    print(table)


def _named(constraint):
    group = constraint["group"] or ""
    value = constraint["value"]
    return f"{constraint['constraint']}{group}" + (f" {value}" if value else "")


def _unmet(unmet):
    text = _named(unmet)
    if "why" in unmet:
        text += f" ({unmet['why']}, {unmet['free']:,} free)"
    return text
