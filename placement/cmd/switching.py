"""placement-manage db share, unshare and release: switching from another Placement, and back.

Source: doc/reference/placement-manage.rst; doc/how-to/switching.rst.
"""

import sys

from placement.candidates.why.plurals import counted
from placement.cmd import command_line, display, layout, mistakes, progress
from placement.conf import connection, opts
from placement.db.derived_sums import recount, triggers
from placement.db.engine import connection_marks
from placement.db.schema import migrate, migration_lock, our_additions
from placement.db.schema.errors import CannotMigrate

_WAITING = "Waiting for other programs that change the same tables"
_PLURALS = {"index": "indexes"}


def add_commands(commands):
    """Add the commands for sharing and releasing the database to the commands of `db`."""
    for name, run, text in (
        ("share", share, "Let another Placement serve the same database at the same time."),
        ("unshare", unshare, "Correct the sums after the other Placement has stopped."),
    ):
        command_line.add(commands, name, text, run)
    releasing = command_line.add(
        commands, "release", "Return the database to another Placement.", release
    )
    releasing.add_argument("--yes", action="store_true", help="do not ask, even on a terminal")
    releasing.add_argument(
        "--even-if-serving",
        action="store_true",
        help="continue even if servers are connected; their searches and writes then get 503",
    )


def share(configuration):
    """Make triggers keep the derived sums right for every writer; print the result.

    Raises: Mistake, CannotConnect.
    """
    database = mistakes.connect_to_migrated(configuration)
    if database.engine.dialect.name == "sqlite":
        raise mistakes.Mistake(
            "SQLite databases cannot be shared: only those of MySQL, MariaDB and PostgreSQL can."
        )
    try:
        with progress.shown(_WAITING) as line:
            has_history = opts.keeps_changes(configuration)
            wrong = migrate.share(database, tell=line.tell, has_history=has_history)
    except (triggers.NotPermitted, CannotMigrate) as error:
        raise mistakes.Mistake(error) from error
    print(f"{_recounted(wrong)} Another Placement may serve this database at the same time.")


def unshare(configuration):
    """Correct the derived sums; print the result."""
    database = mistakes.connect_to_migrated(configuration)
    with (
        progress.shown(_WAITING) as line,
        migration_lock.held(database),
    ):
        wrong = recount.correct_all(database, line.tell)
    print(_recounted(wrong))


def release(configuration):
    """List what this service has added to the database, remove it, and print what was removed.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    database = connection.connect_patiently(configuration)
    with database.reader() as conn:
        added, servers = our_additions.find(conn), connection_marks.connections_by_host(conn)
    if servers and not options.even_if_serving:
        raise mistakes.Mistake(_serving(servers))
    if added and database.engine.dialect.name == "sqlite":
        print("SQLite does not show whether a server uses the file: stop all servers first.")
    _print_additions(added)
    if added and not options.yes and not _is_confirmed():
        raise mistakes.Mistake("Nothing was removed.")
    try:
        with progress.shown("Removing what this service has added"):
            our_additions.remove(database)
    except (triggers.NotPermitted, CannotMigrate) as error:
        raise mistakes.Mistake(error) from error
    if added:
        with database.reader() as conn:
            left = our_additions.find(conn)
        print(f"Removed: {_removed(added, left)}. Another Placement may serve this database.")


def _serving(servers):
    return (
        f"Servers of this service are connected to the database, from {display.servers(servers)}. "
        "Stop them first; with --even-if-serving, searches and writes get 503 afterwards."
    )


def _print_additions(added):
    """Print what this service has added: {kind: names}, such as {"index": [...]}."""
    if not added:
        print("This service has added nothing to the database.")
        return
    print("What this service has added to the database will be removed:")
    rows = [[_counted(len(names), kind), ", ".join(names)] for kind, names in added.items()]
    print(layout.columns(rows, align="ll"))


def _is_confirmed():
    """Return whether the operator agrees: ask at a terminal; a script's author has decided."""
    if not sys.stdin.isatty():
        return True
    return input("Remove it? [y/N] ").strip().lower() in ("y", "yes")


def _removed(added, left):
    """Return what is gone, such as "3 triggers, 2 indexes".

    `added` and `left` are {kind: names} before and after.
    """
    return ", ".join(
        _counted(len(set(names).difference(left.get(kind, ()))), kind)
        for kind, names in added.items()
    )


def _counted(number, kind):
    """Return in words how many additions of a kind there are, such as "2 indexes"."""
    return counted(number, kind, _PLURALS.get(kind))


def _recounted(wrong):
    """Return sentences about `wrong`, the number of inventories whose sum was wrong."""
    if wrong == 0:
        return "The sums are correct."
    return f"The sums are correct. Inventories recounted: {wrong}."
