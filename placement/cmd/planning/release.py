"""placement-manage release: which consumers would have to go to make room for a request.

The exit status is 0 if the request already fits, 1 if not, and 2 for a mistake by the caller.
Source: doc/how-to/planning.rst.
"""

import json

from placement import schemas
from placement.candidates.plans import release
from placement.cmd import command_line, display, layout, listing, mistakes, searching
from placement.conf.operator_names import GivenNames
from placement.documents import plans as plans_document
from placement.microversion import newest
from placement.queries import query_string, release_query

COMMAND = "release"

_COLUMNS = ("Host", "Host UUID", "Consumer", "Type", "Project", "User")


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(
        categories,
        COMMAND,
        "Show which consumers would have to go to make room for a request.",
        run,
    )
    parser.add_argument("query", metavar="QUERY", help=searching.QUERY_HELP)
    parser.add_argument(
        "--of", metavar="NAME", help="only consumers of this type or project may go"
    )
    parser.add_argument(
        "--top",
        default=str(schemas.operator.release.TOP),
        metavar="N",
        help="how many hosts to show (%(default)s)",
    )
    listing.add_options(parser, _COLUMNS, listing.JSON_OPTION)


def run(configuration):
    """Print which consumers would have to go; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    query = query_string.interpret(options.query)
    more = {"top": options.top}
    if options.of is not None:
        more["of"] = options.of
    with mistakes.of_query():
        question = searching.read_question(query, more, release_query, since=newest)
        with searching.connection(configuration) as conn:
            answer = release.find(conn, *question, searching.effort_for(configuration))
    if options.json:
        print(json.dumps(plans_document.release(query, answer), indent=2))
    elif listing.is_wanted(options):
        listing.write(options, _COLUMNS, _rows(answer))
    else:
        _print(answer, GivenNames(configuration.operator.names).added_to)
    return 0 if answer.fitting_count else 1


def _rows(answer):
    """Yield a row for each consumer."""
    for host, consumers in answer.hosts:
        for consumer in consumers:
            yield [
                *(host.name, host.uuid, consumer.uuid),
                *(consumer.consumer_type, consumer.project_id, consumer.user_id),
            ]


def _print(answer, add_names):
    """Print the hosts and consumers; `add_names` adds the operator's names to ids in a string."""
    print(display.coloured(plans_document.summary_of_release(answer), "bold"))
    if answer.hosts:
        rows = [
            [
                display.host(host.name, host.is_disabled),
                add_names(consumer.uuid),
                add_names(consumer.project_id),
            ]
            for host, consumers in answer.hosts
            for consumer in consumers
        ]
        print(f"\n{layout.columns(rows, align='lll', header=['Host', 'Consumer', 'Project'])}")
    if not answer.is_complete:
        print(f"\n{plans_document.MORE_RELEASES}")
