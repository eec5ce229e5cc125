"""GET /operator/capacity. Source: doc/how-to/capacity.rst."""

import functools

from placement.schemas import common, meanings, validation
from placement.schemas.annotations import described, titled

# How many of the fullest inventories are listed by default, and at most.
TOP = 20
MOST_TOP = 1000

# A capacity may be below 0: more may be reserved than there is.
_CAPACITY = described(meanings.CAPACITY, {"type": "integer"})


@functools.cache
def query(groupings):
    """Return the validator of a query that may group by one of `groupings`."""
    # From 0 to MOST_TOP.
    top = common.number_up_to(MOST_TOP, least=0)
    return validation.of_query(
        common.record({"by": {"type": "string", "enum": list(groupings)}, "top": top})
    )


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/capacity."""
    fill = {
        "uuid": described(meanings.UUID, common.UUID),
        "name": described(meanings.NAME, common.TEXT),
        "class": described(meanings.CLASS, common.TEXT),
        "capacity": _CAPACITY,
        "used": described(meanings.USED, common.COUNT),
    }
    sums = {
        "class": described(meanings.CLASS, common.TEXT),
        "total": described(meanings.TOTAL, common.COUNT),
        "reserved": described(meanings.RESERVED, common.COUNT),
        "capacity": _CAPACITY,
        "used": described(meanings.USED, common.COUNT),
        "providers": described("How many providers offer the class.", common.COUNT),
        "full": described("How many providers have none of the class left.", common.COUNT),
        "largest_free": described("The most that a single provider has left.", common.COUNT),
    }
    group = {
        "aggregate": described(
            "The UUID of the aggregate, if the sums are by aggregate.", common.UUID
        ),
        "trait": described("The name of the trait, if the sums are by trait.", common.TEXT),
    }
    rows = {
        "type": "array",
        "items": {
            "anyOf": [
                titled("CapacitySums", common.open_record(sums | group, required=sums)),
                _usage(),
            ]
        },
    }
    inventory = titled("FullInventory", common.open_record(fill, required=fill))
    fullest = {"type": "array", "items": inventory}
    properties = {
        "format": common.FORMAT,
        "by": described(meanings.GROUPED_BY, common.TEXT),
        "counted": described("What counts in which group, in words for people.", common.TEXT),
        "age": described(
            "How many seconds ago the sums were made. With fewer than 100,000 hosts, always 0.",
            common.COUNT,
        ),
        "hosts": described("How many root providers there are.", common.COUNT),
        "rows": described(
            "Sums over the providers that offer a class. By project or consumer type, these are "
            "sums over the consumers that use it, the largest first.",
            rows,
        ),
        "fullest": described("The inventories with the largest share in use.", fullest),
    }
    schema = common.open_record(properties, required=properties)
    return validation.of_body(titled("Capacity", schema))


def _usage():
    usage = {
        "class": described(meanings.CLASS, common.TEXT),
        "used": described(meanings.USED, common.COUNT),
        "consumers": described("How many consumers use the class.", common.COUNT),
        "capacity": described("The capacity of all providers together.", {"type": "integer"}),
    }
    group = {
        "project": described("The id of the project, if the sums are by project.", common.TEXT),
        "consumer_type": described(
            f"If the sums are by consumer type: {meanings.CONSUMER_TYPE_SHOWN}", common.TEXT
        ),
    }
    return titled("CapacityUsage", common.open_record(usage | group, required=usage))
