"""What a schema says to its readers: what a property means, and what an object is called.

These annotations are in two keywords of JSON schema, description and title. The description of the
API shows them (openapi/shapes.py). A third keyword, which is our own, holds the words with which a
message says what a string with a pattern has to be. Validators are made without annotations,
because their messages quote the schema.
"""

import functools
import operator

_EXPECTED = "expected"
_ANNOTATIONS = {"description", "title", _EXPECTED}
# Keywords whose values are {name: schema}. Any name is possible, even that of an annotation.
_BY_NAME = {"patternProperties", "properties"}


def described(meaning, schema):
    """Return the schema of a property, with the meaning of that property.

    The meaning comes first among the keywords, and replaces a meaning that the schema already has.
    """
    return {"description": meaning} | schema | {"description": meaning}


def expected(words, schema):
    """Return the schema of a string with a pattern; `words` say what it has to be, for messages.

    The words follow "is not", such as "a whole number of at least 1". Do not use this for queries
    that openstack-placement also has: as there, their messages have to quote the pattern.
    """
    return schema | {_EXPECTED: words}


def expected_at(schema, path):
    """Return the words that expected() gave the subschema at `path`, a list of keys, or None.

    The path may be from the schema without annotations: these do not change paths.
    """
    return functools.reduce(operator.getitem, path, schema).get(_EXPECTED)


def titled(name, schema):
    """Return a schema with a name, which becomes the name of a class in generated clients."""
    return schema | {"title": name}


def stripped(schema):
    """Return a schema without annotations; the order of its keywords stays the same."""
    if isinstance(schema, list):
        return [stripped(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        keyword: {name: stripped(each) for name, each in value.items()}
        if keyword in _BY_NAME
        else stripped(value)
        for keyword, value in schema.items()
        if keyword not in _ANNOTATIONS
    }
