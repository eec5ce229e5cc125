"""placement-manage db share, unshare and release: switching from another Placement, and back."""

from placement.cmd import mistakes
from placement.conf import connection
from placement.db.derived_sums import recount, triggers
from placement.db.schema import migrate, release


def add_commands(commands):
    for name, run, text in (
        ("share", share, "Let another Placement serve the same database at the same time."),
        ("unshare", unshare, "Correct the sums after the last other Placement has stopped."),
        ("release", give_back, "Return the database to another Placement."),
    ):
        commands.add_parser(name, help=text).set_defaults(run=run)


def share(configuration):
    """Let triggers maintain the derived sums for every writer. Prints the result."""
    database = mistakes.connect_to_migrated(configuration)
    if database.engine.dialect.name == "sqlite":
        raise mistakes.Mistake("SQLite databases cannot be shared; this needs a database server")
    try:
        wrong = migrate.share(database)
    except triggers.NotPermitted as error:
        raise mistakes.Mistake(error) from error
    print(f"{_counted(wrong)} Another Placement may serve this database at the same time.")


def unshare(configuration):
    """Correct the derived sums. Prints the result."""
    database = mistakes.connect_to_migrated(configuration)
    with migrate.locked(database):
        wrong = recount.settle(database)
    print(_counted(wrong))


def give_back(configuration):
    """Remove what this service has added to the database. Prints nothing."""
    try:
        release.release(connection.connect_patiently(configuration))
    except (triggers.NotPermitted, migrate.CannotMigrate) as error:
        raise mistakes.Mistake(error) from error


def _counted(wrong):
    if wrong == 0:
        return "The sums are correct."
    return f"The sums are correct. Inventories recounted: {wrong}."
