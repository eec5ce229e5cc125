"""Values of the domain -> documents, as they are sent and printed as JSON. Pure.

Handlers and commands show with it what objects/ and candidates/ found.
"""

from placement import constants

# The format of answers below /operator, which may gain new fields.
FORMAT = {"format": constants.FORMAT}
