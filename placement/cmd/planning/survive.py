"""placement-manage survive: which hosts, or aggregates, the cloud cannot spare.

The exit status is 0 if the cloud can lose any one of them, 1 if not, and 2 for a mistake by the
caller.
Source: doc/how-to/planning.rst.
"""

import json

from placement.candidates.plans import survival
from placement.candidates.why.plurals import counted
from placement.cmd import command_line, display, layout, listing, mistakes, progress, searching
from placement.conf.operator_names import GivenNames
from placement.documents import plans as plans_document

COMMAND = "survive"

_COLUMNS = ("Name", "UUID", "Consumers", "Left")
_TOP = 20


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(
        categories, COMMAND, "Show the hosts whose loss would leave consumers without a place.", run
    )
    parser.add_argument(
        "--by",
        choices=survival.GROUPINGS,
        default="host",
        help="what is lost at once: a host, or all hosts of an aggregate",
    )
    parser.add_argument(
        "--top", type=int, metavar="N", help=f"how many to list in the text output ({_TOP})"
    )
    listing.add_options(parser, _COLUMNS, listing.JSON_OPTION)


def run(configuration):
    """Print what the cloud cannot spare; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    listing.refuse_top(options)
    if options.json and options.top is not None:
        raise mistakes.Mistake("--top cannot be used with --json, which prints everything.")
    effort = searching.effort_for(configuration)
    database = mistakes.connect_to_migrated(configuration)
    # Both survival.read() and _examined() may take more effort than is allowed.
    with mistakes.of_query(), progress.shown(progress.READING_THE_CLOUD) as line:
        with database.reports() as conn:
            state = survival.read(conn, options.by, effort)
        answer = _examined(state, effort, line)
    if options.json:
        print(json.dumps(plans_document.survival(answer), indent=2))
    elif listing.is_wanted(options):
        rows = [[loss.name, loss.uuid, loss.consumer_count, loss.left] for loss in answer.lost]
        listing.write(options, _COLUMNS, rows)
    else:
        add_names = GivenNames(configuration.operator.names).added_to
        # With a negative number, none are shown.
        top = _TOP if options.top is None else max(0, options.top)
        _print(answer, top, add_names)
    return 1 if answer.lost else 0


def _examined(state, effort, line):
    """Return the Survival, and show the progress on `line` meanwhile. Raises: SurvivalTooLong."""
    total = len(state.losable)

    def tell(number):
        line.tell_number(f"Losing {counted(total, state.by)}", number)

    return survival.examine(state, effort, tell)


def _print(answer, top, add_names):
    """Print the losses; `add_names` adds the operator's names to the ids in a string.

    The `left` of a loss is the number of its consumers that are left without a place.
    """
    print(display.coloured(plans_document.summary_of_survival(answer), "bold"))
    rows = [
        [
            # An aggregate has no name in Placement.
            display.host(loss.name or add_names(loss.uuid), loss.is_disabled),
            f"{loss.consumer_count:,}",
            f"{loss.left:,}",
        ]
        for loss in answer.lost[:top]
    ]
    if rows:
        header = [answer.by.capitalize(), "Consumers", "Without a place"]
        print(f"\n{layout.columns(rows, align='lrr', header=header)}")
    if left := len(answer.lost) - len(rows):
        print(f"  and {left:,} more (--top)")
    for note in plans_document.notes_on_survival(answer):
        print(f"\n{layout.folded(note)}")
