"""POST /operator/query. Source: doc/reference/api/operator.rst."""

import functools

from placement import constants
from placement.schemas import common, validation
from placement.schemas.annotations import described, titled

_TEXT = {"type": "string", "maxLength": constants.MAX_QUERY_CHARACTERS}
_MOST_GROUPS = 1000
_SUFFIX = {"type": "string", "pattern": f"^({common.SUFFIX})?$", "format": "single-line"}


@functools.cache
def query():
    """Return the validator of a query without parameters."""
    return validation.of_query(common.record({}))


@functools.cache
def given():
    """Return the validator of a body with a query string, a form, or what people paste."""
    properties = {
        "query": described("A query string, which may be incomplete.", _TEXT),
        "form": described("A form, as in the answer.", _form()),
        "text": described(
            "What people paste: amounts; a URL or log line that contains a query; or the sizes and "
            "extra specs of a flavor, in the form that commands print or take.",
            _TEXT,
        ),
    }
    body = common.record(properties) | {"minProperties": 1, "maxProperties": 1}
    return validation.of_body(titled("QueryToTranslate", body))


@functools.cache
def shown():
    """Return the validator of the answer to POST /operator/query."""
    choice = {
        "value": described("The value that the form has for it.", common.TEXT),
        "label": described("The text that people read.", common.TEXT),
    }
    field = {
        "name": described(
            "The name of the field in the form; in explanations, that of a constraint.", common.TEXT
        ),
        "of": described(
            "What the field belongs to: group for a field in each group, root for a field on the "
            "root provider, groups for a field on several groups together.",
            {"type": "string", "enum": ["group", "root", "groups"]},
        ),
        "label": described("The text that people read.", common.TEXT),
        "hint": described("How to fill in the field.", common.TEXT),
        "names": described(
            "Which names the field takes: those of /traits or of /resource_classes; null for "
            "others.",
            common.TEXT_OR_NULL,
        ),
        "choices": described(
            "The values that the field takes; empty if it takes text.",
            _list_of(titled("FieldChoice", common.open_record(choice, required=choice))),
        ),
    }
    properties = {
        "format": common.FORMAT,
        "query": described(
            "The query string; null as long as the query asks for no resources.",
            common.TEXT_OR_NULL,
        ),
        "form": described("The same query as a form.", _form()),
        "fields": described(
            "What people need to know about the fields in the form.",
            _list_of(titled("FormField", common.open_record(field, required=field))),
        ),
        "ignored": described(
            "As KEY=VALUE: parameters that are not part of a query for candidates, and extra specs "
            "that nova may ask for, but that the query does not cover.",
            _list_of(common.TEXT),
        ),
        "left_to_nova": described(
            "As KEY=VALUE: extra specs that nova does not ask Placement for. Nova's own filters, "
            "or hypervisors, decide about them.",
            _list_of(common.TEXT),
        ),
    }
    schema = common.open_record(properties, required=properties)
    return validation.of_body(titled("TranslatedQuery", schema))


def _form():
    """Return the schema of a form.

    A client may send a form with fields that later releases add to answers.
    """
    fields = described("Text as people write it, by the name of the field.", common.by_key(_TEXT))
    row = {"type": "array", "items": _TEXT, "minItems": 2, "maxItems": 2}
    group = {
        "suffix": described("The suffix of the request group; empty if it has none.", _SUFFIX),
        "resources": described(
            "A class and an amount for each resource.", _list_of(row, common.MOST_RESOURCES)
        ),
        "fields": fields,
    }
    groups = _list_of(titled("FormGroup", common.open_record(group, required=group)), _MOST_GROUPS)
    form = {"groups": described("The request groups.", groups), "fields": fields}
    return titled("QueryForm", common.open_record(form, required=form))


def _list_of(items, most=None):
    return {"type": "array", "items": items} | ({"maxItems": most} if most else {})
