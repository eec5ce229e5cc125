"""The connection to the database that the configuration names."""

from placement.conf import opts
from placement.db import engine
from placement.db.engine import timeouts


class CannotConnect(Exception):
    """The database does not answer as configured: a sentence without a newline or secrets."""


def connect(configuration):
    """Return the Database that the configuration names, after it has answered.

    Raises: CannotConnect.
    """
    return _connected(configuration, timeouts.Timeouts(**opts.timeouts(configuration)))


def connect_patiently(configuration):
    """Return it for a command, of which no request waits: it may take any time.

    Raises: CannotConnect.
    """
    return _connected(configuration, None)


def _connected(configuration, limits):
    try:
        database = engine.connect(
            configuration.placement_database.connection,
            timeouts=limits,
            **opts.engine_options(configuration),
        )
        with database.reader():
            return database
    except ValueError as error:
        # It quotes what should be a port, and may be a piece of a password with an @ in it.
        raise CannotConnect(
            "connection in [placement_database] is not a URL; in user name and password, write "
            "%40 for @, %3A for :, %2F for /"
        ) from error
    except Exception as error:
        # The reader of URLs, the driver and the server each have exceptions of their own. What
        # follows the first line is about SQLAlchemy.
        reason = str(error).partition("\n")[0]
        raise CannotConnect(
            f"connection in [placement_database] cannot be used: {reason}"
        ) from error
