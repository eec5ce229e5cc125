"""Turn schemas into validators: the dialects of JSON schema, and their formats.

In a body, a uuid may have any unambiguous spelling; in a query, it must have its dashes in place.
The format has the same name, "uuid", in both dialects, because clients see the name in messages.

fastjsonschema judges documents, twenty times as fast as jsonschema would. When it refuses a
document, jsonschema checks the document once more, and describes what is wrong.
"""

import functools
import json
import re

import fastjsonschema
import jsonschema
from oslo_utils import uuidutils

from placement.schemas import annotations, common, violations

_DASHED_UUID = re.compile(common.DASHED_UUID)


def _is_single_line(value):
    """Return whether a value has no newline; in a pattern, `$` also matches before a final one."""
    return not (isinstance(value, str) and "\n" in value)


def _is_dashed_uuid(value):
    return not isinstance(value, str) or _DASHED_UUID.fullmatch(value) is not None


def _is_uuid(value):
    # Most UUIDs have dashes, and the check for these is quicker.
    return _is_dashed_uuid(value) or uuidutils.is_uuid_like(value)


class _Dialect:
    """Draft 2020-12 with `formats`: {name: a function that says whether a value has the format}."""

    def __init__(self, formats):
        self._formats = formats
        # jsonschema has more formats of its own, which must not apply.
        self._format_checker = jsonschema.FormatChecker(formats=())
        for name, is_of_format in formats.items():
            self._format_checker.checks(name)(is_of_format)
        self._compiled = functools.cache(self._compile)
        self._class_of_describers = violations.validator_class(self.judge)

    def judge(self, schema):
        """Return a function that accepts most valid documents, and never an invalid one.

        The only valid documents that it may refuse have a string that ends in a newline.
        """
        return self._compiled(json.dumps(schema))

    def describer(self, schema):
        """Return a jsonschema validator, which says why the judge refuses a document."""
        return self._class_of_describers(schema, format_checker=self._format_checker)

    def _compile(self, written_schema):
        """Return the judge of a schema, given as JSON so that it can be a key in a cache."""
        checked = fastjsonschema.compile(
            json.loads(written_schema),
            formats=self._formats,
            use_default=False,
            detailed_exceptions=False,
        )

        def judge(instance):
            try:
                checked(instance)
            except fastjsonschema.JsonSchemaValueException:
                return False
            return True

        return judge


class Validator:
    """Judges documents by a schema. Attributes: schema, including its annotations."""

    def __init__(self, schema, dialect):
        self.schema = schema
        self._checked = annotations.stripped(schema)
        self._dialect = dialect

    def is_valid(self, instance):
        # complaint() would be slow: it spends most of its time on wording the violation, and the
        # rest in jsonschema. So this asks the judge first.
        return self._judge(instance) or (
            _has_text_ending_in_a_newline(instance) and self.describer.is_valid(instance)
        )

    def complaint(self, instance):
        """Return the violations.Complaint about the most relevant violation; None if there is none.

        Only the judge may take longer if there are more violations. The length of the text does not
        grow with the size of the instance.
        Raises: RecursionError for an instance that is nested too deeply.
        """
        if self._judge(instance):
            return None
        return violations.complaint(self.describer, instance, self.schema)

    def unexpected(self, instance):
        """Return the members of an object that the schema does not name, as a dict."""
        return violations.unexpected(instance, self._checked)

    @functools.cached_property
    def _judge(self):
        return self._dialect.judge(self._checked)

    @functools.cached_property
    def describer(self):
        """The jsonschema validator that describes violations."""
        return self._dialect.describer(self._checked)


def _has_text_ending_in_a_newline(instance):
    # In JSON, such a string ends with an escaped newline and a quote.
    return r'\n"' in json.dumps(instance)


_BODY = _Dialect({"uuid": _is_uuid, "single-line": _is_single_line})
_QUERY = _Dialect({"uuid": _is_dashed_uuid, "single-line": _is_single_line})


def of_body(schema):
    """Return a validator of parsed JSON documents."""
    return Validator(schema, _BODY)


def of_query(schema):
    """Return a validator of queries, given to it as {parameter: its last value}."""
    return Validator(schema, _QUERY)


def of_changed_query(validator, more, without=()):
    """Return the validator of a query like that of `validator`, with other parameters.

    `more` is {name: schema} of parameters to add, and `without` has names of those to leave out.
    """
    schema = validator.schema
    kept = {name: value for name, value in schema["properties"].items() if name not in without}
    return of_query(schema | {"properties": kept | more})
