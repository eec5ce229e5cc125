"""placement-manage db: commands for the tables.

Source: doc/reference/placement-manage.rst.
"""

from placement.cmd import command_line, data_migrations, listing, mistakes, progress, switching
from placement.conf import connection, opts
from placement.db.feed import positions
from placement.db.schema import migrate, revisions, standard_names
from placement.db.schema.errors import CannotMigrate


def add_commands(categories):
    """Add the category `db` and its commands to the parser of placement-manage."""
    db_parser = command_line.add(
        categories,
        "db",
        "Create, migrate, share or release the tables.",
        lambda _: _show_commands(db_parser),
        needs_database=False,
    )
    commands = db_parser.add_subparsers(title="commands")
    command_line.add(commands, "sync", "Upgrade the database to the newest revision.", sync)
    command_line.add(commands, "version", "Print the revision of the database.", version)
    stamp_parser = command_line.add(
        commands, "stamp", "Record a revision for the commands of openstack-placement.", stamp
    )
    stamp_parser.add_argument(
        "version", help="a revision of openstack-placement; head for the newest, base for none"
    )
    migrations_parser = command_line.add(
        commands,
        "online_data_migrations",
        "Repair rows that old releases wrote.",
        data_migrations.run,
    )
    migrations_parser.add_argument(
        "--max-count", metavar="<number>", help="repair at most this many rows (all)"
    )
    listing.add_options(migrations_parser, data_migrations.COLUMNS)
    command_line.add(
        commands,
        "restored",
        "After a restore from a backup, make followers of the changes read everything again.",
        restored,
    )
    switching.add_commands(commands)


def _show_commands(parser):
    """Print the help of `db`, and return 1, because nothing was done."""
    parser.print_help()
    return 1


def sync(configuration):
    """Bring the database to the newest revision. Prints nothing, except on a terminal."""
    with progress.shown(progress.CONNECTING) as line:
        database = connection.connect_patiently(configuration, creates_file=True)
        before = revisions.of(database)
        has_history = opts.keeps_changes(configuration)
        recounted = _migrated(
            migrate.upgrade, database, tell=line.tell, has_history=has_history
        )
        if not revisions.later(database):
            # Servers do this, too, when they start; commands may be used before any server starts.
            standard_names.synchronise(database)
    line.done(_synchronised(before, revisions.of(database), recounted))


def version(configuration):
    """Print the id of the database's revision; "None" if it was never migrated."""
    print(revisions.of(connection.connect_patiently(configuration)))


def stamp(configuration):
    """Record a revision for the commands of openstack-placement. Prints nothing."""
    database = connection.connect_patiently(configuration)
    _migrated(migrate.stamp, database, configuration.category.version)


def restored(configuration):
    """Invalidate all feed positions from before a restore. Prints the result."""
    database = mistakes.connect_to_migrated(configuration)
    with progress.shown("Renumbering the changes"):
        # The feed refuses older positions, so a program that has one begins again.
        database.in_transaction(positions.renumber)
    print("Programs that follow the changes will read everything again.")


def _synchronised(before, after, recounted):
    """Return a sentence about both revisions and, if inventories were recounted, one about them.

    `before` is None if the database had never been migrated.
    """
    if before is None:
        tables = f"The tables are now at revision {after}."
    elif before == after:
        tables = f"The tables were at revision {after} already."
    else:
        tables = f"The tables were upgraded from revision {before} to {after}."
    return f"{tables} Inventories recounted: {recounted:,}." if recounted else tables


def _migrated(function, *arguments, **keywords):
    """Return the result of a function of migrate.py. Raises: Mistake if it cannot migrate."""
    try:
        return function(*arguments, **keywords)
    except CannotMigrate as error:
        raise mistakes.Mistake(error) from error
