"""What the schemas of several resources share, such as a UUID or the name of a class."""

from types import MappingProxyType

from placement import constants
from placement.schemas import meanings
from placement.schemas.annotations import described, expected, titled

# The next four numbers bound the cost of a request; no honest client comes near them.
# The most traits, or aggregates, of a provider.
MOST_MEMBERSHIPS = 10_000
# The most of each of these: classes of a provider's inventories, classes of an allocation,
# providers that a consumer takes from, request groups in mappings, and providers that serve one
# group.
MOST_RESOURCES = 1000
# The most consumers in a POST of allocations.
MOST_CONSUMERS = 10_000
# The most providers, or consumers, in a reshape.
MOST_RESHAPED = 20_000

# The pattern of UUIDs that are keys of objects; unlike the next, it allows dashes anywhere.
UUID_KEY = "^[0-9a-fA-F-]{36}$"
DASHED_UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
# The name of a resource class, a trait or a consumer type.
NAME_CHARACTERS = "A-Z0-9_"
NAME = f"[{NAME_CHARACTERS}]+"
NAME_KEY = f"^{NAME}$"
# The suffix of a request group.
SUFFIX = "[a-zA-Z0-9_-]{1,64}"

TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
COUNT = {"type": "integer", "minimum": 0}
UUID = {"type": "string", "format": "uuid"}
UUID_OR_NULL = {"anyOf": [UUID, {"type": "null"}]}
MOMENT_OR_NULL = {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]}
GENERATION = {"type": "integer"}
PROVIDER_GENERATION = described(meanings.PROVIDER_GENERATION, GENERATION)
# Used in requests: the write is refused if the provider has changed since the client read it.
PROVIDER_GENERATION_READ = described(meanings.PROVIDER_GENERATION_READ, GENERATION)
CONSUMER_GENERATION = described(meanings.CONSUMER_GENERATION, GENERATION)
# Used in answers to operators.
FORMAT = described(
    "The format of the answer, which may gain new fields.", {"const": constants.FORMAT}
)
OWNER = {"type": "string", "minLength": 1, "maxLength": constants.MAX_NAME}
OWNERS = {
    "project_id": described(meanings.PROJECT, OWNER),
    "user_id": described(meanings.USER, OWNER),
}
CLASS_NAME = {"type": "string", "pattern": NAME_KEY}
# Amounts by resource class, in answers.
AMOUNTS = titled(
    "Amounts",
    {
        "type": "object",
        "minProperties": 1,
        "patternProperties": {NAME_KEY: {"type": "integer", "minimum": 1}},
        "additionalProperties": False,
    },
)
# Amounts by resource class, in requests.
CLAIMED_AMOUNTS = titled("ClaimedAmounts", AMOUNTS | {"maxProperties": MOST_RESOURCES})
# Clients can create only custom classes and traits: the service itself creates the standard ones,
# which are those of os-resource-classes and os-traits.
CUSTOM_NAME = {
    "type": "string",
    "pattern": f"^{constants.CUSTOM}{NAME}$",
    "maxLength": constants.MAX_NAME,
    "format": "single-line",
}

# The properties of a consumer in a plan for operators.
CONSUMER = {
    "uuid": described(meanings.UUID, UUID),
    "project_id": described(meanings.PROJECT, TEXT),
    "user_id": described(meanings.USER, TEXT),
    "consumer_type": described(
        "The type of the consumer; null if none was given.", TEXT_OR_NULL
    ),
    "generation": described(meanings.CONSUMER_GENERATION, GENERATION),
}


def record(properties, *, required=(), unexpected_first=False):
    """Return the schema of an object that has only these properties, and always the `required`.

    `properties` is {name: schema}, and `required` holds names. If an object both lacks a property
    and has an unexpected one, only the missing property is reported or, with `unexpected_first`,
    only the unexpected one: the keyword that comes first in the schema decides.
    """
    presence = {"required": list(required)}
    absence = {"additionalProperties": False}
    last = absence | presence if unexpected_first else presence | absence
    return {"type": "object", "properties": properties} | last


def open_record(properties, *, required):
    """Return the schema of an object to which later releases may add properties.

    Use it for answers to operators, which have no versions.
    """
    return {"type": "object", "properties": properties, "required": list(required)}


def of_host(always):
    """Return the schema of a host in an answer to operators.

    A host always has the properties in `always`, {name: schema}, and has `disabled` if nova has
    disabled it.
    """
    disabled = {"disabled": described(meanings.DISABLED, {"type": "boolean"})}
    return open_record(always | disabled, required=always)


def named_provider():
    """Return the schema of a provider, or a host, as answers to operators name it."""
    always = {
        "uuid": described(meanings.UUID, UUID),
        "name": described(meanings.NAME, TEXT),
    }
    return titled("NamedProvider", of_host(always))


def number_up_to(most, *, least):
    """Return the schema of a whole number in a query, where it is a string.

    most: the largest number, a power of ten, at least 100
    least: 0 or 1
    """
    # A number below `most` has at most this many digits after its first digit.
    digits = len(str(most)) - 2
    smaller = f"[1-9][0-9]{{0,{digits}}}" if least else f"[1-9]?[0-9]{{1,{digits}}}"
    pattern = f"^({most}|{smaller})$"
    return expected(
        f"a whole number from {least} to {most}",
        {"type": "string", "pattern": pattern, "format": "single-line"},
    )


def by_uuid(values, *, at_least=0, at_most):
    """Return the schema of an object with a limited number of uuids as keys.

    `values` is the schema of each value.
    """
    return {
        "type": "object",
        "minProperties": at_least,
        "maxProperties": at_most,
        "additionalProperties": False,
        "patternProperties": {UUID_KEY: values},
        # The pattern would accept a newline at the end, so the length is limited. Without the
        # "type", best_match() would report that a key is too long, not that it does not match.
        "propertyNames": {"type": "string", "maxLength": 36},
    }


def by_key(values):
    """Return the schema of an object that may have any keys.

    `values` is the schema of each value.
    """
    return {"type": "object", "additionalProperties": values}


def unknown_name(title="UnknownName", more=MappingProxyType({})):
    """Return the schema of an unknown name in a query, with what was probably meant.

    `title` is the name of the schema, and `more` has more properties, {name: schema}.
    """
    properties = {
        "kind": described(
            "What the name should belong to: a resource class, trait, aggregate or provider.", TEXT
        ),
        "name": described("The name.", TEXT),
        "suggestions": described(
            "The names that were probably meant, likeliest first.",
            {"type": "array", "items": TEXT},
        ),
    }
    properties |= more
    return titled(title, open_record(properties, required=properties))


def links(*relations, title="Link"):
    """Return the schema of a list with one link for each of the relations, such as "self".

    `title` is the name of the schema of a link.
    """
    link = {
        "rel": described("What the link leads to.", {"type": "string", "enum": list(relations)}),
        "href": described(
            "A path, with the prefix that the service is mounted under.", TEXT
        ),
    }
    listed = {
        "type": "array",
        "items": titled(title, record(link, required=link)),
        "minItems": len(relations),
        "maxItems": len(relations),
    }
    return described("Where to find more.", listed)
