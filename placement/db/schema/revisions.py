"""Which revision a database is at, and which ones there are.

Our revisions are recorded in a table of our own, so that a database taken over from another
Placement keeps its `alembic_version` and can be handed back.
"""

from importlib import resources

import sqlalchemy as sa

from placement.db.schema import adoption, errors

VERSION_TABLE = "placement_schema_version"
SCRIPTS = resources.files("placement.db") / "migrations"
_versions = sa.table(VERSION_TABLE, sa.column("version_num"))


def check(database):
    """Check that `database` is at the newest revision that this release knows, or a later one.

    Raises: NotMigrated; CannotMigrate if the tables are foreign and cannot be taken over.
    """
    with database.reader() as conn:
        revision = find(conn)
        if revision is None:
            # This raises CannotMigrate if there are tables that cannot be taken over.
            with errors.translated():
                adoption.is_adoptable(conn)
    *older, newest = known()
    if revision is None or revision in older:
        raise errors.NotMigrated(database, revision, newest)


def of(database):
    """Return the id of the revision that `database` is at; None if it was never migrated."""
    with database.reader() as conn:
        return find(conn)


def later(database):
    """Return the id of the revision of `database` if only a later release knows it; else None."""
    revision = of(database)
    return None if revision in known() else revision


def find(conn):
    """Return the id of the revision that a database is at; None if it was never migrated."""
    if not sa.inspect(conn).has_table(VERSION_TABLE):
        return None
    return conn.scalar(sa.select(_versions.c.version_num))


def known():
    """Return the ids of all revisions, such as "0001", oldest first.

    The names of the scripts begin with these ids.
    """
    scripts = (SCRIPTS / "versions").iterdir()
    return sorted(each.name.partition("_")[0] for each in scripts if each.name.endswith(".py"))
