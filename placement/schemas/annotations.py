"""What a schema says to its readers: what a property means, and what an object is called.

These annotations stand beside what they are about, in two keywords of JSON schema, description and
title. The description of the API shows them (openapi/shapes.py). Validators are made without them,
as their messages quote the schema.
"""

_ANNOTATIONS = {"description", "title"}
# Keywords whose keys are chosen by the schema.
_BY_NAME = {"patternProperties", "properties"}


def described(meaning, schema):
    """Return the schema of a property, with what it means there.

    The meaning comes first among the keywords, and replaces one that the schema already has.
    """
    return {"description": meaning} | schema | {"description": meaning}


def titled(name, schema):
    """Return a schema with a name, which becomes the name of a class in generated clients."""
    return schema | {"title": name}


def stripped(schema):
    """Return a schema without annotations; its keywords stay in their order."""
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
