"""Numbers and names that the API, the domain and the database share."""

import enum

# The largest number that an INT column holds. No number in an inventory is larger, and no larger
# amount fits.
MAX_INTEGER = 2**31 - 1
# The most inventories in a reshape, and the most amounts that the consumers in one request may
# claim. No ordinary client comes near this number, and checking that many takes a second.
MOST_IN_A_REQUEST = 100_000
# This amount, like any larger one, fits nowhere.
TOO_LARGE = MAX_INTEGER + 1
# The largest number that a BIGINT column holds. A larger capacity, which cannot be used up anyway,
# is stored as this number.
MAX_CAPACITY = 2**63 - 1

# The most allocation candidates in one answer, unless the operator sets another number.
MAX_CANDIDATES = 100_000
# A check of the audit shows at most this many examples of what it has found.
MOST_EXAMPLES = 10
# An explanation counts candidates up to this number.
MOST_COUNTED_CANDIDATES = 1000

# The most characters in a query string or pasted text that a body has, and in all fields of a form
# together. In a URL, web servers refuse even much shorter query strings.
MAX_QUERY_CHARACTERS = 65536

# The most characters in the id of a project or user, and in any name except that of a provider.
# Requests and the database have the same limit.
MAX_NAME = 255
# The most characters in the name of a provider.
MAX_PROVIDER_NAME = 200
# The beginning of the name of any class or trait that is not standard.
CUSTOM = "CUSTOM_"

# The type that is shown for consumers without a type, and the name that stands for all types.
UNKNOWN_CONSUMER_TYPE = "unknown"
ALL_CONSUMER_TYPES = "all"

# The consumer type that nova gives to instances; it gives another type to moves.
INSTANCE = "INSTANCE"

# The values of group_policy: whether suffixed groups may be served by one provider.
POLICY_NONE, POLICY_ISOLATE = "none", "isolate"

# The format version of the documents for operators.
FORMAT = 1

# The media types of bodies: a single JSON document, and one JSON document on each line.
JSON = "application/json"
JSON_LINES = "application/x-ndjson"

# The format of a time in UTC, in documents for operators and in the feed of changes.
MOMENT = "%Y-%m-%dT%H:%M:%SZ"


class NamedKind(enum.StrEnum):
    """The kind of a named thing. HOST is for root providers, PROVIDER for those below a root."""

    HOST = "host"
    PROVIDER = "provider"
    CONSUMER = "consumer"
    PROJECT = "project"
    AGGREGATE = "aggregate"
    TRAIT = "trait"
    RESOURCE_CLASS = "resource_class"
