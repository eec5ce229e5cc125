"""What is wrong with a document, in the words of jsonschema.

When a document breaks several rules, only one violation is reported: the one nearest to the top. If
several are in the same place, it is the one whose keyword comes first in the schema. So the order
of the keywords in a schema is visible to clients.

The work is bounded: if a list or map has more members than allowed, its members are not examined;
otherwise, valid members are skipped.
Source: doc/reference/differences.rst, "Refused with 400".
"""

import itertools
import json
import math
import re

import jsonschema
from jsonschema import exceptions

from placement.schemas import annotations

# The search for the most relevant violation ends after this many violations.
MOST_VIOLATIONS = 1000
# Only the beginning and the end of a longer message or value are reported.
LONGEST_TEXT = 4000

_Draft = jsonschema.Draft202012Validator


def validator_class(judge_of):
    """Return a jsonschema validator class that examines only the members that a judge refuses.

    `judge_of` returns the judge of a schema: a quick function that says whether an instance is
    accepted. What a judge accepts is valid.
    """

    # jsonschema calls this function for the keyword `items`.
    def items(validator, schema_of_items, instance, schema):
        if _is_looked_into(validator, "array", instance, schema):
            is_valid = judge_of(schema_of_items)
            for index, item in enumerate(instance):
                if not is_valid(item):
                    yield from validator.descend(item, schema_of_items, path=index)

    # The next three functions are for _of_members(): they choose the members of an object that a
    # keyword refuses.
    def refused_by_pattern(schemas, instance, schema):
        judges = [(re.compile(pattern), judge_of(schema)) for pattern, schema in schemas.items()]
        return {
            key: value
            for key, value in instance.items()
            if any(pattern.search(key) and not is_valid(value) for pattern, is_valid in judges)
        }

    def refused_values(schema_of_values, instance, schema):
        # With false, only members that a property or pattern names are allowed.
        if schema_of_values is False:
            return unexpected(instance, schema)
        is_valid = judge_of(schema_of_values)
        return {key: value for key, value in instance.items() if not is_valid(value)}

    def refused_names(schema_of_names, instance, schema):
        is_valid = judge_of(schema_of_names)
        return {key: value for key, value in instance.items() if not is_valid(key)}

    return jsonschema.validators.extend(
        _Draft,
        {
            "uniqueItems": _unique_items,
            "items": items,
            "patternProperties": _of_members("patternProperties", refused_by_pattern),
            "additionalProperties": _of_members("additionalProperties", refused_values),
            "propertyNames": _of_members("propertyNames", refused_names),
        },
    )


def _of_members(keyword, refused):
    """Return jsonschema's function for a keyword, applied only to members that `refused` returns.

    The arguments of `refused` are the value of the keyword, the object and the schema.
    """
    violations_of = _Draft.VALIDATORS[keyword]

    def violations(validator, value, instance, schema):
        if _is_looked_into(validator, "object", instance, schema):
            yield from violations_of(validator, value, refused(value, instance, schema), schema)

    return violations


def unexpected(instance, schema):
    """Return the members of an object that no property or pattern of the schema allows.

    At most MOST_VIOLATIONS of these members are returned.
    """
    properties = schema.get("properties", {})
    patterns = [re.compile(pattern) for pattern in schema.get("patternProperties", {})]
    keys = (
        key
        for key in instance
        if key not in properties and not any(pattern.search(key) for pattern in patterns)
    )
    return {key: instance[key] for key in itertools.islice(keys, MOST_VIOLATIONS)}


def _unique_items(validator, wanted, instance, schema):
    """Yield an error if an array has an item twice, without comparing each pair of items.

    jsonschema's own function compares each pair if the items cannot be sorted. Here, numbers are
    the same only if they are written alike: 1 and 1.0 differ.
    """
    if (
        wanted
        and _is_looked_into(validator, "array", instance, schema)
        and len({json.dumps(item, sort_keys=True) for item in instance}) < len(instance)
    ):
        yield jsonschema.ValidationError(f"{instance!r} has non-unique elements")


def _is_looked_into(validator, kind, instance, schema):
    """Return whether an instance is an "array" or "object", as `kind` says, and not too large."""
    bound = schema.get("maxItems" if kind == "array" else "maxProperties", math.inf)
    return validator.is_type(instance, kind) and len(instance) <= bound


class Complaint(str):
    """What jsonschema says about a violation.

    short  one line that says where in the document something is wrong, and what; no schema
    """

    __slots__ = ("short",)

    def __new__(cls, violation):
        self = super().__new__(cls, violation)
        place = ".".join(map(str, violation.relative_path))
        self.short = f"{place}: {violation.message}" if place else violation.message
        return self


def complaint(validator, instance, annotated):
    """Return the Complaint about the most relevant violation; None if there is none.

    annotated: the schema of the validator, with its annotations
    """
    errors = itertools.islice(validator.iter_errors(instance), MOST_VIOLATIONS)
    violation = exceptions.best_match(errors)
    if violation is None:
        return None
    if violation.validator == "pattern":
        *path, _ = violation.absolute_schema_path
        if words := annotations.expected_at(annotated, path):
            # People need not read a regular expression.
            violation.message = f"{violation.instance!r} is not {words}"
    # The text shows the message, the path to the value, and the value. Each may be too long.
    violation.message = abridged(violation.message)
    violation.relative_path = [
        abridged(step) if isinstance(step, str) else step for step in violation.relative_path
    ]
    written = repr(violation.instance)
    if len(written) > LONGEST_TEXT:
        violation.instance = _Written(abridged(written))
    return Complaint(violation)


def abridged(text, longest=LONGEST_TEXT):
    """Return the beginning and the end of a text with more than `longest` characters."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} ... {text[-half:]}"


class _Written:
    """Stands for a value whose representation is `text`."""

    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text
