"""Values of the domain -> documents to send or print as JSON.

The documents show what objects/ and candidates/ found.

Called by handlers/, openapi/ and the commands.
"""

from placement import constants

# The first field of answers below /operator: their format, which may gain new fields.
FORMAT = {"format": constants.FORMAT}


def moment(at):
    """Return a time in UTC as it is written in JSON, in whole seconds."""
    return at.strftime(constants.MOMENT)
