"""Numbers and names that the API, the domain and the database agree on."""

# The largest number that an INT column holds. So no number in an inventory is larger, nor is an
# amount that fits.
MAX_INTEGER = 2**31 - 1
# The most inventories in a reshape, and the most amounts that the consumers of one request claim.
# No honest client comes near it, and this many can be checked in a second.
MOST_IN_A_REQUEST = 100_000
# An amount that fits nowhere, nor does any larger one.
TOO_LARGE = MAX_INTEGER + 1
# The largest number that a BIGINT column holds. A larger capacity, which cannot be used up
# anyway, is stored as this one.
MAX_CAPACITY = 2**63 - 1

# The most allocation candidates in one answer, unless the operator sets another number.
MAX_CANDIDATES = 100_000

# The type of consumers that were never given one, and that of all of them together.
UNKNOWN_CONSUMER_TYPE = "unknown"
ALL_CONSUMER_TYPES = "all"

# The format version of the documents for operators.
FORMAT = 1

# After how long a client may try again when something that a request needs does not work: the
# database, or a server that decides about policy.
RETRY_AFTER_SECONDS = 5
