"""What the OpenAPI documents of all versions say about an operation, without repetition.

Whatever is the same in several versions becomes one Row, with the versions in which it is true.
"""

from typing import NamedTuple

from placement import microversion, openapi


class Field(NamedTuple):
    """A parameter, or a property of a body; `name` is the path to it from the top."""

    name: str
    form: str
    is_required: bool
    meaning: str


class Row(NamedTuple):
    """`what` is true in the versions from `first` to `last`."""

    what: object
    first: tuple[int, int]
    last: tuple[int, int]

    def when(self, of=(openapi.VERSIONS[0], openapi.VERSIONS[-1])):
        """Return in which versions it is true; "" if in all versions, `of`, of the whole."""
        is_from_start, is_to_end = self.first <= of[0], self.last >= of[1]
        if is_from_start and is_to_end:
            return ""
        first, last = microversion.text(self.first), microversion.text(self.last)
        if is_to_end:
            return f"since {first}"
        if self.first == self.last:
            return f"only {first}"
        return f"until {last}" if is_from_start else f"{first} to {last}"


def documents():
    """Return {version: document} of all versions, with the schemas that they refer to in place."""
    return {version: _without_references(openapi.document(version)) for version in openapi.VERSIONS}


def _without_references(document):
    schemas = document["components"]["schemas"]

    def resolved(value):
        if isinstance(value, list):
            return [resolved(each) for each in value]
        if not isinstance(value, dict):
            return value
        members = {keyword: resolved(each) for keyword, each in value.items()}
        collection, _, name = members.get("$ref", "").rpartition("/")
        if collection != "#/components/schemas":
            return members
        del members["$ref"]
        return resolved(schemas[name]) | members

    return document | {"paths": resolved(document["paths"])}


def operations(documents, url):
    """Return {(method, operationId): {version: operation}} of the operations at one URL.

    Order: that of the methods, older operations of one method first.
    """
    found = {}
    for version, document in documents.items():
        at_url = dict(document["paths"].get(url, {}))
        shared = at_url.pop("parameters", [])
        for method, operation in at_url.items():
            key = method.upper(), operation["operationId"]
            every = [*shared, *operation.get("parameters", [])]
            found.setdefault(key, {})[version] = operation | {"parameters": every}
    newest = list(documents[openapi.VERSIONS[-1]]["paths"][url])
    return dict(sorted(found.items(), key=lambda item: newest.index(item[0][0].lower())))


def merged(things_by_version):
    """Return the Rows of {version: [thing]}, for things that have a name.

    A thing that two versions have, but not one between them, makes two Rows.
    Order: that of the names in the newest version, then names that are gone; of things with
    the same name the newest first.
    """
    spans_by_thing = {}
    for version in sorted(things_by_version, reverse=True):
        for thing in things_by_version[version]:
            spans = spans_by_thing.setdefault(thing, [])
            if spans and _follows(spans[-1][0], version):
                spans[-1][0] = version
            else:
                spans.append([version, version])
    names = list(dict.fromkeys(thing.name for thing in spans_by_thing))
    rows = [
        Row(thing, first, last)
        for thing, spans in spans_by_thing.items()
        for first, last in spans
    ]
    return sorted(rows, key=lambda row: names.index(row.what.name))


def _follows(later, version):
    return later == (version[0], version[1] + 1)


def variables(operation):
    """Return the Fields of the variables in an operation's path."""
    return [
        Field(each["name"], form(each["schema"]), False, each["description"])
        for each in operation["parameters"]
        if each.get("in") == "path"
    ]


def parameters(operation):
    """Return the Fields of an operation's query; a pattern of names is written with an S."""
    fields = []
    for parameter in operation["parameters"]:
        if parameter.get("in") != "query":
            continue
        schema = _without_patterns(parameter["schema"])
        if schema.get("type") == "object":
            pattern = parameter["schema"]["propertyNames"]["pattern"]
            name, _, suffix = pattern.strip("^$").partition("(")
            meaning = f"As {name}, for the group with the suffix S: {suffix.rstrip(')')}."
            fields.append(
                Field(f"{name}S", form(schema["additionalProperties"]), False, meaning)
            )
        else:
            is_required = parameter.get("required", False)
            fields.append(
                Field(parameter["name"], form(schema), is_required, parameter["description"])
            )
    return fields


def _without_patterns(schema):
    """Return the schema of a query without patterns, which the descriptions express in words."""
    if not isinstance(schema, dict):
        return schema
    return {
        keyword: _without_patterns(value)
        for keyword, value in schema.items()
        if keyword != "pattern"
    }


def body(schema, prefix=""):
    """Return the Fields of a JSON schema, each before those in it."""
    if "anyOf" in schema and "properties" in schema["anyOf"][0]:
        return body(schema["anyOf"][0], prefix)
    fields = []
    if not prefix and (schema.get("type") == "array" or schema.get("minProperties")):
        whole = "[]" if schema["type"] == "array" else "{}"
        fields.append(Field(whole, form(schema), True, "The whole body."))
    for name, value in schema.get("properties", {}).items():
        way = f"{prefix}{name}"
        is_required = name in schema.get("required", ())
        fields.append(Field(way, form(value), is_required, value.get("description", "")))
        fields += body(value, f"{way}.")
    for key, value, meaning in _keyed(schema, prefix.rstrip(".").rpartition(".")[2].strip("[]")):
        way = f"{prefix}{key}"
        if value and "properties" not in value:
            fields.append(Field(way, form(value), False, meaning))
        fields += body(value, f"{way}.")
    if schema.get("type") == "array":
        fields += body(schema["items"], f"{prefix.rstrip('.')}[].")
    return fields


def _keyed(schema, holder):
    """Yield (word for the key, schema of the values, meaning) of an object that is a map.

    `holder` is the name of the property whose value the object is.
    """
    value = schema.get("additionalProperties")
    if isinstance(value, dict):
        word, meaning = _MAPS.get(holder, ("KEY", ""))
        pattern = schema.get("propertyNames", {}).get("pattern")
        if "additionalProperties" in value and holder == "usages":
            word, meaning = "TYPE", "That of the consumers of one type."
        yield _KEYS.get(pattern, word), value, meaning


_KEYS = {"^[0-9a-fA-F-]{36}$": "UUID", "^[A-Z0-9_]+$": "CLASS"}

# What the keys of a map are, if its schema does not say so, and what its values mean.
_AMOUNT = "How much, in the unit of the class."
_MAPS = {
    "TYPE": ("CLASS", f"{_AMOUNT} Not a class: consumer_count, the number of consumers."),
    "allocations": ("UUID", ""),
    "examples": ("FIELD", "What was found: its owner, class and amounts, as far as they apply."),
    "generations": ("UUID", "The new generation of a provider."),
    "hosts_by_fit": ("FIT", "How many hosts."),
    "inventories": ("CLASS", ""),
    "limits": ("REASON", _AMOUNT),
    "mappings": ("SUFFIX", "UUIDs of providers."),
    "names": ("UUID", "Its name."),
    "fields": ("FIELD", "What a person wrote."),
    "provider_summaries": ("UUID", ""),
    "queries": ("SUGGESTION", "A query string."),
    "reasons": ("STOP", "Why, in words."),
    "repaired": ("CHECK", "How many were found."),
    "resources": ("CLASS", _AMOUNT),
    "serving": ("SUFFIX", "Providers."),
    "stopped_by": ("STOP", "How many hosts."),
    "stranded": ("CLASS", _AMOUNT),
    "usages": ("CLASS", _AMOUNT),
    "why": ("REASON", "How many hosts."),
}


# A list of the versions of the API is longer; readers can continue it themselves.
_MOST_WORDS = 20


def form(schema):
    """Say what a value looks like, in a few words."""
    if "anyOf" in schema:
        return " or ".join(form(each) for each in schema["anyOf"])
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        words = schema["enum"]
        return " or ".join(words if len(words) <= _MOST_WORDS else [*words[:2], "...", words[-1]])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(kind)
    if schema.get("format") == "uuid":
        return "uuid"
    if kind == "array":
        kind = f"array of {form(schema['items'])}"
    return ", ".join([kind, *_limits(schema)])


def _limits(schema):
    """Yield the limits and the default of a value, in words."""
    if schema.get("minItems", schema.get("minProperties")):
        yield "not empty"
    if schema.get("uniqueItems"):
        yield "unique"
    unit = " characters" if schema.get("type") == "string" else ""
    least = schema.get("minimum", schema.get("minLength"))
    most = schema.get("maximum", schema.get("maxLength"))
    if None not in (least, most):
        yield f"{least} to {most}{unit}"
    elif least is not None:
        yield f"at least {least}{unit}"
    elif most is not None:
        yield f"at most {most}{unit}"
    if "pattern" in schema:
        yield schema["pattern"]
    if "default" in schema:
        yield f"by default {schema['default']}"
