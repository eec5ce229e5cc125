"""Values of the domain -> documents, as they are sent and printed as JSON. Pure.

Handlers and commands show with it what objects/ and candidates/ found.
"""

from placement import constants

# In what is answered under /operator: such a document grows by new members only.
FORMAT = {"format": constants.FORMAT}
