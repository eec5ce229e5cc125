"""Mistakes of an operator are reported in one line; a traceback is for unexpected errors."""

import contextlib
import sys

from oslo_config import cfg

from placement import distribution
from placement.conf import opts
from placement.db import adoption, engine, schema


class Mistake(Exception):
    """What keeps a command from its work: a sentence without a newline, and without secrets."""


@contextlib.contextmanager
def reported_by(program, exit_status):
    """End the program for a mistake found inside, also one of configuration or installation.

    Raises: SystemExit.
    """
    try:
        yield
    except (Mistake, cfg.Error, distribution.BothInstalled) as mistake:
        print(f"{program}: {mistake}", file=sys.stderr)
        raise SystemExit(exit_status) from mistake


def connect(configuration):
    """Return the Database that the configuration names, after it has answered.

    Raises: Mistake.
    """
    try:
        database = engine.connect(
            configuration.placement_database.connection, **opts.engine_options(configuration)
        )
        with database.reader():
            return database
    except ValueError as error:
        # It quotes what should be a port, and may be a piece of a password with an @ in it.
        raise Mistake(
            "connection in [placement_database] is not a URL; in user name and password, write "
            "%40 for @, %3A for :, %2F for /"
        ) from error
    except Exception as error:
        # The reader of URLs, the driver and the server each have exceptions of their own. What
        # follows the first line is about SQLAlchemy.
        reason = str(error).partition("\n")[0]
        raise Mistake(f"connection in [placement_database] cannot be used: {reason}") from error


def connect_to_tables(configuration):
    """Return the Database that the configuration names, which has tables of some release.

    Raises: Mistake.
    """
    database = connect(configuration)
    try:
        with database.reader() as conn:
            if adoption.has_tables(conn):
                return database
    except adoption.CannotAdopt as error:
        raise Mistake(error) from error
    raise Mistake("The database has no tables: run 'placement-manage db sync'.")


def connect_to_migrated(configuration):
    """Return the Database that the configuration names, which has the tables of this release.

    Raises: Mistake.
    """
    database = connect(configuration)
    try:
        schema.check(database)
    except (schema.NotMigrated, schema.CannotMigrate) as error:
        raise Mistake(error) from error
    return database
