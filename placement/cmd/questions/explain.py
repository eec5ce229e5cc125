"""placement-manage explain: why a query for allocation candidates finds few, or none.

The exit status is 0 if there are candidates, 1 if there are none, and 2 for a mistake by the
caller.
Source: doc/how-to/no-valid-host.rst.
"""

import json
import re
import sys

from placement import schemas
from placement.candidates.why import explain
from placement.candidates.why.plurals import counted
from placement.cmd import command_line, display, layout, listing, mistakes, searching
from placement.conf.operator_names import GivenNames
from placement.documents import explanation
from placement.microversion import newest
from placement.queries import explanation_query, query_string

COMMAND = "explain"

# {name of a column: the member that has its value in the document of a constraint}.
_COLUMNS = {
    "Constraint": "constraint",
    "Group": "group",
    "Value": "value",
    "Fail": "fail",
    "Only this": "only",
    "Left": "left",
}
_BAR_WIDTH = 30
# The query of a request, as the request log and the logs of web servers write it.
_IN_A_LOG = re.compile(r"/allocation_candidates\?([^\s\"]+)")
_VERSION_IN_A_LOG = re.compile(r" microversion: ([0-9]+)\.([0-9]+)")


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(
        categories, COMMAND, "Explain why a query finds few candidates, or none.", run
    )
    parser.add_argument(
        "query",
        nargs="?",
        metavar="QUERY",
        help=searching.QUERY_HELP,
    )
    parser.add_argument(
        "--from-log",
        metavar="LINE",
        help="a line of the request log that contains the query; - reads standard input up to the "
        "first such line",
    )
    parser.add_argument(
        "--host",
        metavar="HOST",
        help="explain only this host: its uuid or name, or those of a provider in its tree",
    )
    parser.add_argument(
        "--top",
        metavar="N",
        help="how many of the closest hosts to name, up to "
        f"{schemas.operator.explanation.MOST_CLOSEST} ({schemas.operator.explanation.CLOSEST})",
    )
    listing.add_options(parser, tuple(_COLUMNS), listing.JSON_OPTION)


def run(configuration):
    """Print the explanation; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    query, since = _query(options)
    more = {"closest": _closest(options)}
    with mistakes.of_query():
        if options.host is not None:
            more["host"] = options.host
        question = searching.read_question(query, more, explanation_query, since)
        with searching.connection(configuration) as conn:
            found = explain.explain(conn, *question, searching.effort_for(configuration))
    document = explanation.document(query, found)
    if options.json:
        print(json.dumps(document, indent=2))
    elif listing.is_wanted(options):
        listing.write(options, tuple(_COLUMNS), _rows(document))
    else:
        _print(document, GivenNames(configuration.operator.names).added_to)
    return 0 if document["candidates"] else 1


def _closest(options):
    """Return how many of the closest hosts are wanted, as a string. Raises: Mistake."""
    listing.refuse_top(options)
    if options.top is None:
        return str(schemas.operator.explanation.CLOSEST)
    if re.fullmatch(schemas.operator.explanation.CLOSEST_SCHEMA["pattern"], options.top) is None:
        most = schemas.operator.explanation.MOST_CLOSEST
        raise mistakes.Mistake(f"--top takes a number from 0 to {most}, and not {options.top!r}.")
    return options.top


def _query(options):
    """Return the query, and `since`, a function that says whether its version has a behaviour.

    Raises: Mistake.
    """
    if options.query is None and options.from_log is None:
        raise mistakes.Mistake("A query is required, or a line of the log with --from-log.")
    if options.query is not None and options.from_log is not None:
        raise mistakes.Mistake("A query cannot be combined with --from-log.")
    if options.query is not None:
        return query_string.interpret(options.query), newest
    for line in sys.stdin if options.from_log == "-" else [options.from_log]:
        if match := _IN_A_LOG.search(line):
            return match[1], _since(line)
    where = "Standard input" if options.from_log == "-" else "The line"
    raise mistakes.Mistake(
        f"{where} contains no GET /allocation_candidates?... to explain; --from-log takes a line, "
        "or - for standard input."
    )


def _since(line):
    """Return `since` for the version in a log line, or for the newest if the line has none."""
    match = _VERSION_IN_A_LOG.search(line)
    if match is None:
        return newest
    version = tuple(map(int, match.groups()))
    return lambda behaviour: version >= behaviour.value


def _rows(document):
    """Yield a row for each constraint."""
    for each in document["constraints"]:
        yield [each[key] for key in _COLUMNS.values()]


def _print(document, add_names):
    """Print the explanation; `add_names` adds the operator's names to the ids in a string."""
    print(display.coloured(layout.folded(add_names(document["summary"])), "bold"))
    if document["constraints"]:
        table = _constraints(document["constraints"], document["hosts"]["all"], add_names)
        print(f"\n{table}")
    if document["closest"]:
        print("\nClosest hosts:")
        rows = [
            [
                display.host(host["name"], host.get("disabled")),
                host["uuid"],
                add_names("; ".join(_unmet(each, host) for each in host["unmet"])),
            ]
            for host in document["closest"]
        ]
        print(layout.columns(rows, align="lll"))
    if document["relaxations"]:
        print("\nSingle changes that would help:")
        rows = [map(add_names, _relaxation(each)) for each in document["relaxations"]]
        print(layout.columns(rows, align="lll"))


def _constraints(constraints, hosts, add_names):
    """Return the table of the constraints; `hosts` is the number of all hosts.

    In a constraint, `fail` is how many hosts do not meet it, `only` how many lack nothing else, and
    `left` how many meet it and all constraints above it.
    """
    rows = []
    for each in constraints:
        only = display.coloured(f"{each['only']:,}", "yellow" if each["only"] else "dim")
        left = display.coloured(f"{each['left']:,}", "green" if each["left"] else "red")
        bar = display.Bar(each["left"], hosts, _BAR_WIDTH, is_share=True)
        rows.append([add_names(_named(each)), f"{each['fail']:,}", only, left, bar])
    header = ["Constraint", "Fail", "Only this", "Left", ""]
    return layout.columns(rows, align="lrrrl", header=header)


def _named(constraint):
    """Return the name and the value of a constraint, such as "resources_GPU VGPU:1"."""
    group = constraint["group"] or ""
    value = constraint["value"]
    return f"{constraint['constraint']}{group}" + (f" {value}" if value else "")


def _unmet(unmet, host):
    """Return words for a constraint that a host does not meet: "resources VCPU:64 (8 free)".

    `host` is one of the closest hosts in the JSON document, and `unmet` one of its unmet
    constraints.
    """
    # Only resources have a `why`, with its numbers. Other constraints may have a `reason`.
    if "reason" in unmet and "why" not in unmet:
        return f"{_named(unmet)} ({unmet['reason']})"
    facts = []
    if unmet.get("why") == "capacity":
        facts.append(f"{unmet['free']:,} free")
        if "reserved" in unmet:
            facts.append(f"{unmet['reserved']:,} reserved")
    elif "unit" in unmet:
        facts.append(f"{unmet['why']} {unmet['unit']:,}")
    elif "why" in unmet:
        facts.append("no inventory")
    if "provider" in unmet and unmet["provider"]["uuid"] != host["uuid"]:
        facts.append(f"at {unmet['provider']['name']}")
    for suffix, providers in unmet.get("serving", {}).items():
        facts.append(f"{suffix or 'the rest'} by {', '.join(each['name'] for each in providers)}")
    return _named(unmet) + (f" ({', '.join(facts)})" if facts else "")


def _relaxation(relaxation):
    """Return the cells of a relaxation: the constraint, the change, and the hosts that it helps.

    For instance: "resources VCPU:64", "ask for VCPU:32", "3 hosts, such as host1".
    """
    such_as = ":" if relaxation["hosts"] == 1 else ", such as"
    example = display.host(relaxation["example"]["name"], relaxation["example"].get("disabled"))
    hosts = f"{counted(relaxation['hosts'], 'host')}{such_as} {example}"
    also = [f"{_named(each)}: {_change(each)}" for each in relaxation["also"]]
    return [_named(relaxation), "; ".join([_change(relaxation), *also]), hosts]


def _change(change):
    return f"ask for {change['instead']}" if change["instead"] else "drop it"
