"""placement-manage status: on one screen, whether the database and the ledger are in order.

The exit status is 0 if there is nothing to do, 1 if there is, and 2 for a mistake by the caller.
Source: doc/reference/placement-manage.rst, "status".
"""

import datetime
import json

from placement.cmd import capacity, command_line, display, layout, listing, progress
from placement.conf import connection
from placement.db.derived_sums import recount, triggers
from placement.db.engine import connection_marks
from placement.db.records import last_audit
from placement.db.schema import revisions
from placement.db.schema.errors import CannotMigrate, NotMigrated
from placement.documents import FORMAT
from placement.documents import audit as audit_document
from placement.documents import capacity_report as capacity_document
from placement.objects import capacity_report

COMMAND = "status"

_COLUMNS = ("Field", "Value")
_FULLEST = 3


def add_command(categories):
    """Add the command to the parser of placement-manage."""
    parser = command_line.add(categories, COMMAND, "Show on one screen whether all is well.", run)
    listing.add_options(parser, _COLUMNS, listing.JSON_OPTION)


def run(configuration):
    """Print the state of the database and the ledger; return the exit status.

    Raises: CannotConnect.
    """
    options = configuration.category
    with progress.shown("Looking at the tables") as line:
        status, fullest = _state_of(connection.connect_patiently(configuration), line.tell)
    if options.json:
        print(json.dumps(status, indent=2))
    elif listing.is_wanted(options):
        listing.write(options, _COLUMNS, list(_fields(status).items()))
    else:
        _print(status, fullest)
    return 0 if _is_good(status) else 1


def _is_good(status):
    """Return whether there is nothing to do."""
    return status["to_do"] is None and not status["wrong_inventories"]


def _state_of(database, tell):
    """Return the document that describes the state, and the Fills of the fullest inventories.

    If the tables are not migrated, the document ends with `to_do`, and there are no Fills.
    """
    status = FORMAT | {
        "database": _without_secrets(database.engine.url),
        "revision": revisions.of(database),
        "to_do": None,
    }
    try:
        revisions.check(database)
    except (NotMigrated, CannotMigrate) as error:
        return status | {"to_do": str(error)}, []
    with database.reader() as conn:
        status["shared"] = triggers.are_present(conn)
        status["servers"] = connection_marks.connections_by_host(conn)
        status["last_audit"] = audit_document.last(last_audit.find(conn))
    with database.reports() as conn:
        tell(recount.COMPARING)
        status["wrong_inventories"] = len(recount.find_wrong(conn))
        tell("Adding up the inventories")
        report = capacity_report.measure(conn, capacity_report.BY_CLASS, _FULLEST)
    status["hosts"] = report.host_count
    status["fullest"] = capacity_document.document(report)["fullest"]
    return status, report.fullest


def _without_secrets(url):
    """Return a URL as a string, without its password and its parameters, which may be secret."""
    return url.set(query={}).render_as_string(hide_password=True)


def _fields(status):
    """Return {name: text} for everything to show; `status` is the document."""
    fields = {"Database": status["database"], "Revision": status["revision"] or "none"}
    if status["to_do"] is not None:
        return fields | {"To do": status["to_do"]}
    wrong = status["wrong_inventories"]
    return fields | {
        "Sharing": "possible: triggers count what other programs write"
        if status["shared"]
        else "not possible: run 'placement-manage db share' before others write",
        "Servers": _servers(status["servers"]),
        "Hosts": f"{status['hosts']:,}",
        "Ledger": "the sums of all inventories are right"
        if not wrong
        else f"inventories with a wrong sum: {wrong:,}; run 'placement-manage db sync'",
        "Last audit": _last_audit(status["last_audit"]),
    }


def _servers(servers):
    """Return in words which servers, {host: connections}, are connected; None means unknown."""
    if servers is None:
        return "unknown: SQLite does not show who uses a file"
    return display.servers(servers) if servers else "none are connected"


def _last_audit(audited):
    """Return in words what `audited`, the document of the last audit, says; None for no audit."""
    if audited is None:
        return "none recorded; run 'placement-manage audit'"
    moment = datetime.datetime.fromisoformat(audited["finished_at"])
    now = datetime.datetime.now(datetime.UTC)
    return (
        f"{display.minute(moment)} UTC, {display.ago((now - moment).total_seconds())}: "
        f"{audited['faults']:,} faults, {audited['facts']:,} facts"
    )


def _print(status, fullest):
    colour = "green" if _is_good(status) else "red"
    fields = _fields(status)
    for name in ("To do", "Ledger"):
        if name in fields:
            fields[name] = display.coloured(fields[name], colour)
    rows = [[display.coloured(name, "bold"), text] for name, text in fields.items()]
    print(layout.columns(rows, align="ll"))
    if fullest:
        capacity.print_fullest(fullest)
