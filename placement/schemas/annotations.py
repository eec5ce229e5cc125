"""What a schema says to its readers: what a property means, and what an object is called.

These annotations are in two keywords of JSON schema, description and title. The description of the
API shows them (openapi/shapes.py). A third keyword says in words what a text with a pattern has to
be, for messages. Validators are made without annotations, because their messages quote the schema.
"""

import functools
import operator

_EXPECTED = "expected"
_ANNOTATIONS = {"description", "title", _EXPECTED}
# Keywords whose values are {name: schema}. Any name is possible, even that of an annotation.
_BY_NAME = {"patternProperties", "properties"}


def described(meaning, schema):
    """Return the schema of a property, with the meaning of that property.

    The meaning comes first among the keywords, and replaces one that the schema already has.
    """
    return {"description": meaning} | schema | {"description": meaning}


def expected(words, schema):
    """Return the schema of a text with a pattern; `words` say what it has to be, for messages.

    They follow "is not": "a whole number of at least 1". Queries that openstack-placement also has
    keep its words, which name the pattern.
    """
    return schema | {_EXPECTED: words}


def expected_at(schema, path):
    """Return the wording of the subschema at `path`, a list of keys; None if it has none.

    Annotations do not change paths.
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
