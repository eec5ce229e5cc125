"""What objects/ and candidates/ found -> documents to send or print as JSON.

Called by handlers/, openapi/ and the commands.
"""

from placement import constants

# The first field of each answer below /operator: its format, to which new fields may be added.
FORMAT = {"format": constants.FORMAT}


def moment(at):
    """Return a time in UTC as a string for JSON, in whole seconds."""
    return at.strftime(constants.MOMENT)
