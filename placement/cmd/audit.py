"""placement-manage audit: whether the ledger is correct, and which consumers are orphans.

The exit status is 0 if the ledger is correct or, with --consumers, if no orphans remain. Otherwise
it is 1, or 2 for a mistake by the caller.
Source: doc/how-to/audit.rst.
"""

import argparse
import datetime
import json
import re
import sys

from oslo_log import log

from placement.cmd import command_line, display, layout, listing, mistakes, orphans, progress
from placement.conf import opts
from placement.conf.operator_names import GivenNames
from placement.constants import INSTANCE
from placement.db.records import last_audit
from placement.documents import audit as audit_document
from placement.objects import ledger_audit
from placement.queries import duration

LOG = log.getLogger(__name__)

COMMAND = "audit"

_COLUMNS = ("Check", "Found", "Kind", "Repairable")


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(categories, COMMAND, "Check whether the ledger is right.", run)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--repair",
        nargs="*",
        choices=ledger_audit.REPAIRABLE,
        metavar="CHECK",
        help="repair what these checks find, by default all that can be repaired: "
        f"{', '.join(ledger_audit.REPAIRABLE)}",
    )
    what.add_argument(
        "--consumers",
        metavar="FILE",
        help="instead of checking, list consumers that are not in this file (one UUID per line)",
    )
    parser.add_argument(
        "--consumer-type",
        default=INSTANCE,
        metavar="TYPE",
        help="the type of the consumers in the file (%(default)s)",
    )
    parser.add_argument(
        "--older-than",
        type=_age,
        default="1h",
        metavar="AGE",
        help="only consumers last updated at least this long before the file was written, such as "
        "30m (%(default)s)",
    )
    parser.add_argument(
        "--delete-orphans",
        action="store_true",
        help="list the orphans, then remove their allocations",
    )
    parser.add_argument(
        "--at-most",
        type=_percentage,
        default="5",
        metavar="PERCENT",
        help="remove nothing if more than this percentage of the consumers are orphans "
        "(%(default)s)",
    )
    listing.add_options(parser, (*_COLUMNS, *orphans.COLUMNS), listing.JSON_OPTION)


def _age(text):
    """Return the timedelta that a string such as 30m stands for. Raises: ArgumentTypeError."""
    if re.fullmatch(duration.AGE_PATTERN, text) is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a whole number of up to six digits, followed by s, m, h or d"
        )
    return datetime.timedelta(seconds=duration.seconds(text))


def _percentage(text):
    """Return the number that a string such as 2.5 stands for. Raises: ArgumentTypeError."""
    try:
        percent = float(text)
    except ValueError:
        percent = -1
    if not 0 <= percent <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 100")
    return percent


def run(configuration):
    """Check the ledger, or list orphans; return the exit status.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    if options.delete_orphans and options.consumers is None:
        raise mistakes.Mistake("--delete-orphans can only be used with --consumers.")
    _check_columns(options)
    database = mistakes.connect_to_migrated(configuration)
    if options.consumers is not None:
        return orphans.run(database, options, _name_adder(configuration))
    return _audit(database, configuration)


def _check_columns(options):
    """Raises: Mistake for a column that is not in the table, which depends on --consumers."""
    case, columns = "Without", _COLUMNS
    if options.consumers is not None:
        case, columns = "With", orphans.COLUMNS
    for name in (*options.columns, *options.sort_columns):
        if name not in columns:
            raise mistakes.Mistake(
                f"{case} --consumers, there is no column {name!r}; the columns are "
                f"{', '.join(columns)}."
            )


def _name_adder(configuration):
    """Return a function that adds the operator's names to the ids in a string."""
    return GivenNames(configuration.operator.names).added_to


def _audit(database, configuration):
    """Make the requested repairs, and all checks; return the exit status."""
    options = configuration.category
    # {name of a check: number of repaired rows}.
    repaired = {}
    with progress.shown(progress.CONNECTING) as line:
        if options.repair is not None:
            owner = opts.incomplete_consumer_owner(configuration)
            repaired = ledger_audit.repair(
                database, options.repair or ledger_audit.REPAIRABLE, owner, line.tell
            )
        # The repairs may not have reached a replica yet.
        read = database.reports if options.repair is None else database.reader
        with read() as conn:
            findings = ledger_audit.audit(conn, line.tell)
    line.done(f"Checks made: {len(findings)}.")
    _record(database, findings)
    if options.json:
        document = audit_document.audit(findings)
        if options.repair is not None:
            document |= audit_document.repaired(repaired)
        print(json.dumps(document, indent=2))
    elif listing.is_wanted(options):
        _print_repaired(repaired, sys.stderr)
        listing.write(options, _COLUMNS, _rows(findings))
    else:
        _print_repaired(repaired, sys.stdout)
        _print_findings(findings, _name_adder(configuration))
    return 0 if ledger_audit.is_sound(findings) else 1


def _record(database, findings):
    """Store what was found, for `placement-manage status`; if that fails, only log a warning."""
    faults = sum(finding.count for finding in findings if finding.check.is_fault)
    facts = sum(finding.count for finding in findings if not finding.check.is_fault)
    try:
        last_audit.record(database, faults=faults, facts=facts)
    except last_audit.NotRecorded as error:
        LOG.warning("%s", error)


def _rows(findings):
    """Yield a row for each finding."""
    for finding in findings:
        check = finding.check
        kind = "fault" if check.is_fault else "fact"
        yield [check.name, finding.count, kind, check.repair is not None]


def _print_repaired(repaired, file):
    for name, count in repaired.items():
        print(f"{name}: {count} repaired", file=file)


def _print_findings(findings, add_names):
    """Print the findings; `add_names` adds the operator's names to the ids in a string."""
    rows = [
        [
            finding.check.name,
            f"{finding.count:,}",
            _kind(finding),
            "--repair" if finding.check.repair and finding.count else "",
        ]
        for finding in findings
    ]
    print(layout.columns(rows, align="lrll", header=["Check", "Found", "", "Repair"]))
    for finding in findings:
        if finding.count:
            _print_examples(finding, add_names)
    print(f"\n{_verdict(findings)}")


def _kind(finding):
    """Return what the table says about a Finding: a fault, a fact, or nothing."""
    if not finding.count:
        return ""
    return display.coloured("fault", "red") if finding.check.is_fault else "fact"


def _verdict(findings):
    """Return the sentence that ends the output: whether the ledger is right."""
    if not ledger_audit.is_sound(findings):
        return "The ledger is not right."
    if any(finding.count for finding in findings):
        return "The ledger is right: the findings are facts, not faults."
    return "The ledger is right."


def _print_examples(finding, add_names):
    """Print a check's question, some rows that it found, and what they mean."""
    print(f"\n{layout.folded(f'{finding.check.name}: {finding.check.question}')}")
    for example in finding.examples:
        text = ", ".join(f"{name} {add_names(str(value))}" for name, value in example.items())
        print(layout.folded(text, "  "))
    if left := finding.count - len(finding.examples):
        print(f"  and {left} more")
    if finding.check.meaning:
        print(layout.folded(finding.check.meaning))
