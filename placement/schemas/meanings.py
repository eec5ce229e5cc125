"""The meanings of properties that several schemas have: the same words for the same thing."""

from placement import constants

ALLOCATION_RATIO = (
    "The overcommit factor: with 16.0, sixteen times the unreserved amount can be allocated."
)
CAPACITY = (
    "How much can be allocated: (total - reserved) * allocation_ratio, truncated to a whole number."
)
MAX_UNIT = "The largest amount that a single allocation may take."
MIN_UNIT = "The smallest amount that a single allocation may take."
RESERVED = "How much of the total cannot be allocated, because the host needs it, for example."
STEP_SIZE = "The amount of an allocation must be a multiple of this."
TOTAL = "How much of the resource class the provider has, before anything is reserved."
USED = "How much is allocated to consumers."

AMOUNTS = "Amounts by resource class."
CLASS = "The name of a resource class."
INVENTORIES = "The inventories of the provider, by resource class."

AGGREGATES = "UUIDs of aggregates."
DISABLED = (
    "True if nova has disabled the host, which then has the trait COMPUTE_STATUS_DISABLED; "
    "otherwise absent."
)
NAME = "Its unique name."
PARENT = "The provider above it; null for a root."
PROVIDER = "The provider."
PROVIDERS = "The providers."
PROVIDER_GENERATION = "Increases with every change to the provider."
PROVIDER_GENERATION_READ = "The generation of the provider, as last read."
ROOT = "The provider at the top of its tree; for a root, itself."
TRAITS = "Names of traits."
UUID = "Its UUID."

CONSUMER_GENERATION = "Increases with every change to the consumer."
CONSUMER_TYPE_SHOWN = (
    f'The type of the consumer; "{constants.UNKNOWN_CONSUMER_TYPE}" if none was given.'
)
PROJECT = "The project that the consumer belongs to."
TAKEN_BY_CONSUMER = "What the consumer uses, by provider."
USER = "The user that the consumer belongs to."

REQUEST_ID = "The ID of the request, as in the log of the service."
WHAT_WENT_WRONG = "What went wrong, in English."

GROUPED_BY = "How the sums are grouped; with class, they are over all providers."
NOTES = "What the answer does not take into account, in words for people."
QUERY = "The query, as it was sent."
STOPS_IN_WORDS = "What `stopped_by` names, in words for people."
SUMMARY = "The answer in a sentence."
UNKNOWN = "Names in the query that do not exist."
