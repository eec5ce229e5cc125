"""The connection to the database that the configuration names."""

from placement.conf import opts
from placement.db import engine
from placement.db.engine import timeouts


class CannotConnect(Exception):
    """The database does not answer; the message is a sentence without a newline or secrets."""


def connect(configuration):
    """Return the Database that the configuration names, after it has answered.

    Raises: CannotConnect.
    """
    return _connected(configuration, timeouts.Timeouts(**opts.timeouts(configuration)))


def connect_patiently(configuration):
    """Return the Database for a command, without timeouts, as no request waits for it.

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
        # The error quotes what should be a port, which may be part of a password with an @ in it.
        raise CannotConnect(
            "connection in [placement_database] is not a URL; in user name and password, write "
            "%40 for @, %3A for :, %2F for /"
        ) from error
    except Exception as error:
        # The reader of URLs, the driver and the server each have exceptions of their own. After the
        # first line, their text is about SQLAlchemy.
        reason = str(error).partition("\n")[0]
        raise CannotConnect(
            f"connection in [placement_database] cannot be used: {reason}"
        ) from error
