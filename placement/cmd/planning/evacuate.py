"""placement-manage evacuate --dry-run: where the consumers of hosts would go.

The exit status is 0 if all of them find a place, 1 if not, and 2 for a mistake by the caller.
Source: doc/how-to/planning.rst.
"""

import json

from placement.candidates.plans import evacuation
from placement.cmd import command_line, display, layout, listing, mistakes, searching
from placement.conf.operator_names import GivenNames
from placement.documents import plans as plans_document
from placement.queries import plan_query, query_string

COMMAND = "evacuate"

_COLUMNS = ("Consumer", "Type", "Project", "User", "To", "To UUID", "Why")


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(
        categories, COMMAND, "Show where the consumers of hosts would go.", run
    )
    parser.add_argument("hosts", metavar="HOST", nargs="*", help="a host to empty: UUID or name")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        required=True,
        help="only plan; required, because Placement cannot move instances",
    )
    parser.add_argument(
        "--aggregate",
        action="append",
        default=[],
        metavar="UUID",
        help="empty the hosts of this aggregate; may be repeated",
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="TRAITS",
        help="a pattern of traits, such as 'HW_CPU_*', that a new provider must have if the old "
        "one has them; may be repeated",
    )
    parser.add_argument(
        "--same-aggregate",
        action="store_true",
        help="stay in one of the aggregates of the old provider",
    )
    listing.add_options(parser, _COLUMNS, listing.JSON_OPTION)


def run(configuration):
    """Print where the consumers would go; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    with mistakes.of_query():
        query = _query_text(options)
        pairs = query_string.of_argument(query, plan_query.EVACUATION, values=query_string.every)
        question = plan_query.evacuation(pairs)
        with searching.connection(configuration) as conn:
            plan = evacuation.plan(conn, question, searching.effort_for(configuration))
    if options.json:
        print(json.dumps(plans_document.evacuation(plan), indent=2))
    elif listing.is_wanted(options):
        listing.write(options, _COLUMNS, map(_row, plan.moves))
    else:
        _print(plan, GivenNames(configuration.operator.names).added_to)
    return 0 if plan.is_possible else 1


def _query_text(options):
    """Return the query string that asks the service for the same plan."""
    asked = [
        *(("host", each) for each in options.hosts),
        *(("aggregate", each) for each in options.aggregate),
        *(("keep", each) for each in options.keep),
        *([("same_aggregate", "true")] if options.same_aggregate else []),
    ]
    return searching.encoded(asked)


def _row(move):
    """Return the cells of a Move, under _COLUMNS."""
    owner = move.owner
    return [
        *(owner.uuid, owner.consumer_type, owner.project_id, owner.user_id),
        *((move.to.name, move.to.uuid) if move.to else (None, None)),
        # The sentence about a NoPlace; None if there is a place.
        plans_document.why(move.nowhere),
    ]


def _print(plan, add_names):
    """Print the plan; `add_names` adds the operator's names to the ids in a string."""
    print(display.coloured(plans_document.summary_of_evacuation(plan), "bold"))
    if plan.moves:
        print(f"\n{_table(plan.moves, add_names)}")
    # A reason that many consumers share is printed once. It is None if there is a place.
    for why in dict.fromkeys(plans_document.why(move.nowhere) for move in plan.moves):
        if why is not None:
            print(f"\n{layout.folded(add_names(why))}")
    for note in plans_document.notes_on(plan):
        print(f"\n{layout.folded(note)}")


def _table(moves, add_names):
    """Return a table of Moves; `add_names` adds the operator's names to the ids in a string."""
    rows = [
        [
            add_names(move.owner.uuid),
            add_names(move.owner.project_id),
            move.to.name if move.to else "no place",
        ]
        for move in moves
    ]
    return layout.columns(rows, align="lll", header=["Consumer", "Project", "To"])
