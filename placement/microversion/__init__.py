"""The microversions of the API, and what each of them changed.

A handler asks `req.since(Since.SOMETHING)`; the number of a version is written here and
nowhere else.

Called by handlers/, queries/, flavors/, middleware/, openapi/, web/, conf/ and the commands.
"""

import enum
from importlib import util

from placement import distribution

MINIMUM = (1, 0)
MAXIMUM = (1, 39)
# How a client names the newest version, whatever it is.
LATEST = "latest"


def text(version):
    """Return a (major, minor) version as it is written: 1.39."""
    return "{}.{}".format(*version)


def parsed(text):
    """Return the (major, minor) of one of the VERSIONS, or of LATEST."""
    if text == LATEST:
        return MAXIMUM
    major, minor = text.split(".")
    return int(major), int(minor)


VERSIONS = [text((MINIMUM[0], minor)) for minor in range(MAXIMUM[1] + 1)]


class Since(enum.Enum):
    """A behaviour, and the (major, minor) version that brought it."""

    @property
    def number(self):
        """The version as it is written: 1.39."""
        return text(self.value)

    # /resource_providers/{uuid}/aggregates and the link to it.
    AGGREGATES = (1, 1)
    # /resource_classes and /resource_classes/{name}.
    RESOURCE_CLASSES = (1, 2)
    # GET /resource_providers?member_of=
    LIST_MEMBER_OF = (1, 3)
    # GET /resource_providers?resources=
    LIST_RESOURCES = (1, 4)
    # DELETE /resource_providers/{uuid}/inventories
    DELETE_ALL_INVENTORIES = (1, 5)
    # /traits, /resource_providers/{uuid}/traits and the link to it.
    TRAITS = (1, 6)
    # PUT /resource_classes/{name} ensures that the class exists; before, it renamed a class.
    ENSURE_RESOURCE_CLASS = (1, 7)
    # An allocation write names the project and the user of the consumer.
    CONSUMER_OWNER = (1, 8)
    # GET /usages
    PROJECT_USAGES = (1, 9)
    # GET /allocation_candidates
    ALLOCATION_CANDIDATES = (1, 10)
    # A provider links to its allocations.
    ALLOCATIONS_LINK = (1, 11)
    # Allocations are objects keyed by provider, not lists; the owner of a consumer is shown.
    ALLOCATIONS_BY_PROVIDER = (1, 12)
    # POST /allocations
    MANY_CONSUMERS = (1, 13)
    # Providers have parents and roots; GET /resource_providers?in_tree=
    NESTED_PROVIDERS = (1, 14)
    # Last-Modified and Cache-Control.
    LAST_MODIFIED = (1, 15)
    # GET /allocation_candidates?limit=
    CANDIDATES_LIMIT = (1, 16)
    # GET /allocation_candidates?required=, and traits in the provider summaries.
    CANDIDATES_REQUIRED = (1, 17)
    # GET /resource_providers?required=
    LIST_REQUIRED = (1, 18)
    # Reads of a provider's aggregates show its generation; writes check and advance it.
    AGGREGATES_GENERATION = (1, 19)
    # POST /resource_providers answers with the provider.
    CREATE_RETURNS_PROVIDER = (1, 20)
    # GET /allocation_candidates?member_of=
    CANDIDATES_MEMBER_OF = (1, 21)
    # required=!TRAIT
    FORBIDDEN_TRAITS = (1, 22)
    # Errors have a code.
    ERROR_CODES = (1, 23)
    # member_of may be repeated.
    REPEATED_MEMBER_OF = (1, 24)
    # Numbered request groups and group_policy.
    REQUEST_GROUPS = (1, 25)
    # An inventory may reserve its whole total.
    RESERVED_MAY_EQUAL_TOTAL = (1, 26)
    # Provider summaries list every class of a provider, not only the requested ones.
    SUMMARIES_OF_ALL_CLASSES = (1, 27)
    # Consumers have a generation; PUT accepts empty allocations.
    CONSUMER_GENERATION = (1, 28)
    # Candidates span the providers of a tree; summaries list whole trees.
    CANDIDATES_NESTED = (1, 29)
    # POST /reshaper
    RESHAPER = (1, 30)
    # GET /allocation_candidates?in_tree=
    CANDIDATES_IN_TREE = (1, 31)
    # member_of=!AGGREGATE
    FORBIDDEN_AGGREGATES = (1, 32)
    # Suffixes of request groups may be words, not only numbers.
    WORD_SUFFIXES = (1, 33)
    # Candidates show which providers serve which group; writes accept and ignore such mappings.
    MAPPINGS = (1, 34)
    # GET /allocation_candidates?root_required=
    ROOT_REQUIRED = (1, 35)
    # GET /allocation_candidates?same_subtree=, and groups without resources.
    SAME_SUBTREE = (1, 36)
    # A provider may move to another parent, or become a root.
    REPARENTING = (1, 37)
    # Consumers have a type; usages are grouped by it.
    CONSUMER_TYPES = (1, 38)
    # required=in:T1,T2 and repeated required.
    ANY_TRAITS = (1, 39)


def newest(behaviour):
    """Return True: this is the `since` of the newest version, which has every behaviour.

    This function also serves as the `since` of whatever has no microversions.
    """
    return True


def __getattr__(name):
    """Say why a name is missing, if openstack-placement was installed over this distribution.

    In that case, its modules have overwritten ours, and find this package in place of their module
    of the same name.
    Raises: AttributeError, BothInstalled.
    """
    # `from placement.microversion import version_flags` also asks here first, even though the
    # module exists: after the AttributeError, Python imports it.
    if util.find_spec(f"{__name__}.{name}") is None:
        distribution.check_alone()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
