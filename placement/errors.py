"""What programs read in errors: codes that tell errors of one status apart, and when to retry.

Answers have had the codes since microversion 1.23, and clients compare them as strings.
Source: API-SIG guideline on errors; doc/reference/api/index.rst.
"""

UNDEFINED = "placement.undefined_code"

# A generation did not match, or another writer was faster: read again and retry.
CONCURRENT_UPDATE = "placement.concurrent_update"
# An inventory that was to be removed has allocations.
INVENTORY_INUSE = "placement.inventory.inuse"
# The name or the uuid of a provider is taken.
DUPLICATE_NAME = "placement.duplicate_name"
PROVIDER_INUSE = "placement.resource_provider.inuse"
PROVIDER_CANNOT_DELETE_PARENT = "placement.resource_provider.cannot_delete_parent"
# A reshape names a provider that does not exist.
PROVIDER_NOT_FOUND = "placement.resource_provider.not_found"
QUERY_DUPLICATE_KEY = "placement.query.duplicate_key"
QUERY_BAD_VALUE = "placement.query.bad_value"
QUERY_MISSING_VALUE = "placement.query.missing_value"
# The changes after a position are no longer kept: list everything again.
CHANGES_EXPIRED = "placement.changes.expired"

CODES = (
    UNDEFINED,
    CONCURRENT_UPDATE,
    INVENTORY_INUSE,
    DUPLICATE_NAME,
    PROVIDER_INUSE,
    PROVIDER_CANNOT_DELETE_PARENT,
    PROVIDER_NOT_FOUND,
    QUERY_DUPLICATE_KEY,
    QUERY_BAD_VALUE,
    QUERY_MISSING_VALUE,
    CHANGES_EXPIRED,
)


def retry_after(seconds=5):
    """Return the name and the value of the header that tells a client when to ask again.

    The default suits a busy service, and a database or policy server that does not answer.
    """
    return "Retry-After", str(seconds)
