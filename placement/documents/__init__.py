"""Values of the domain -> documents to send or print as JSON.

They show what objects/ and candidates/ found.

Called by handlers/, openapi/ and the commands.
"""

from placement import constants

# The format of answers below /operator, which may gain new fields.
FORMAT = {"format": constants.FORMAT}


def moment(at):
    """Return a time in UTC as it is written in JSON, in whole seconds."""
    return at.strftime(constants.MOMENT)
