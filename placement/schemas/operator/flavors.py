"""GET /operator/flavors. Source: doc/how-to/flavors.rst."""

import functools

from placement.schemas import common, validation
from placement.schemas.annotations import described, titled


@functools.cache
def query():
    """Return the validator of a query that may name the flavor after which to begin."""
    return validation.of_query(common.record({"after": common.TEXT}))


@functools.cache
def shown():
    """Return the validator of the answer to GET /operator/flavors."""
    flavor = {
        "name": described("The name of the flavor.", common.TEXT),
        "query": described("What an instance of it asks for.", common.TEXT),
        "ignored": described(
            "Extra specs that the query does not cover.", {"type": "array", "items": common.TEXT}
        ),
        "fit": described(
            "How many more instances fit, if only this flavor is used; null if counting took too "
            "long.",
            common.COUNT | {"type": ["integer", "null"]},
        ),
        "hosts": described("On how many hosts these instances fit.", common.COUNT),
        "stopped_by": described(
            "The class, or query parameter, that stops the most hosts; null if there are no hosts.",
            common.TEXT_OR_NULL,
        ),
        "mistake": described(
            "Why the query would be refused, or could not be counted, in a sentence; null if "
            "nothing is wrong.",
            common.TEXT_OR_NULL,
        ),
        "why": described(
            "What is wrong with the flavor, or what stops the most hosts, in words.",
            common.TEXT_OR_NULL,
        ),
    }
    flavor_fit = titled("FlavorFit", common.open_record(flavor, required=flavor))
    properties = {
        "format": common.FORMAT,
        "fault": described(
            "Why there are no flavors, in a sentence: no file is configured, or it cannot be read. "
            "Null if it was read.",
            common.TEXT_OR_NULL,
        ),
        "all": described("How many flavors the file has.", common.COUNT),
        "flavors": described(
            "The flavors that were counted, in the order of the file.",
            {"type": "array", "items": flavor_fit},
        ),
        "next": described(
            "The value of `after` that asks for the next ones; null if there are no more.",
            common.TEXT_OR_NULL,
        ),
    }
    schema = common.open_record(properties, required=properties)
    return validation.of_body(titled("FlavorFits", schema))
