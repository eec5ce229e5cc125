"""The text on a violation is bounded, and so is the work to find it."""

import itertools
from unittest import mock

import hypothesis
import jsonschema
import testtools
from hypothesis import strategies

from placement import microversion
from placement.openapi import operations
from placement.schemas import annotations, validation, violations
from tests import properties

NAMES = {"type": "array", "items": {"type": "string", "maxLength": 5}}
AMOUNT = {"type": "integer", "minimum": 1}


class ComplaintTest(testtools.TestCase):
    def complaint(self, schema, instance):
        return validation.of_body(schema).complaint(instance)

    def test_a_valid_document_has_no_complaint(self):
        self.assertIsNone(self.complaint(NAMES, ["a"]))

    def test_an_ordinary_violation_is_reported_as_jsonschema_does(self):
        self.assertEqual(
            "1 is not of type 'string'\n\n"
            "Failed validating 'type' in schema['items']:\n"
            "    {'type': 'string', 'maxLength': 5}\n\n"
            "On instance[1]:\n"
            "    1",
            self.complaint(NAMES, ["a", 1]),
        )

    def test_the_beginning_and_the_end_of_a_long_value_are_reported(self):
        complaint = self.complaint(NAMES, ["x" * 1000000 + "y"])
        self.assertLess(len(complaint), 3 * violations.LONGEST_TEXT)
        message, _, rest = complaint.partition("\n")
        self.assertTrue(message.startswith("'xxx"), message)
        self.assertTrue(message.endswith("xxy' is too long"), message)
        self.assertIn("Failed validating 'maxLength' in schema['items']:", rest)
        self.assertTrue(rest.endswith("xxy'"), rest)

    def test_a_value_that_just_fits_is_reported_in_full(self):
        value = "x" * (violations.LONGEST_TEXT - len("'' is too long"))
        self.assertTrue(self.complaint(NAMES, [value]).startswith(f"'{value}' is too long"))

    def test_the_beginning_and_the_end_of_a_large_document_are_reported(self):
        document = dict.fromkeys(map(str, range(100000)), 1)
        complaint = self.complaint({"required": ["name"]}, document)
        self.assertLess(len(complaint), 2 * violations.LONGEST_TEXT)
        self.assertTrue(complaint.startswith("'name' is a required property\n"), complaint)
        self.assertTrue(complaint.endswith("'99999': 1}"), complaint)

    def test_the_beginning_and_the_end_of_a_long_key_are_reported(self):
        complaint = self.complaint({"additionalProperties": {"type": "string"}}, {"x" * 1000000: 1})
        self.assertLess(len(complaint), 2 * violations.LONGEST_TEXT)
        self.assertTrue(complaint.endswith("xx']:\n    1"), complaint)

    def test_a_complaint_is_also_short_and_says_where(self):
        schema = {"properties": {"names": NAMES}, "additionalProperties": False}
        for document, short in (
            ({"names": ["a", 1]}, "names.1: 1 is not of type 'string'"),
            ({"x": 1}, "Additional properties are not allowed ('x' was unexpected)"),
        ):
            self.assertEqual(short, self.complaint(schema, document).short)

    def test_the_first_violation_ends_the_validation(self):
        validator = mock.Mock(spec=["iter_errors"])
        validator.iter_errors.return_value = itertools.repeat(jsonschema.ValidationError("one"))
        self.assertEqual("one", violations.complaint(validator, {}, {}))

    def test_members_of_a_document_with_too_many_are_not_validated(self):
        class Untouchable:
            def __repr__(self):
                return "?"

        for schema, instance, said in [
            (
                {"maxItems": 2, "items": AMOUNT, "uniqueItems": True},
                [Untouchable()] * 3,
                "is too long",
            ),
            (
                {
                    "maxProperties": 1,
                    "propertyNames": {"maxLength": 1},
                    "patternProperties": {"^a": AMOUNT},
                    "additionalProperties": AMOUNT,
                },
                {"aa": Untouchable(), "bb": Untouchable()},
                "has too many properties",
            ),
        ]:
            message, _, _ = self.complaint(schema, instance).partition("\n")
            self.assertTrue(message.endswith(said), message)

    def test_only_the_reported_unexpected_keys_are_sorted(self):
        class Key(str):
            def __lt__(self, other):
                compared.append(self)
                return str(self) < other

            __hash__ = str.__hash__

        compared = []
        document = {Key(number): 1 for number in range(20 * violations.MOST_VIOLATIONS)}
        for schema in ({}, {"patternProperties": {"^a": AMOUNT}}):
            complaint = self.complaint({"additionalProperties": False, **schema}, document)
            self.assertIn("'0', '1', '10', '100'", complaint)
        self.assertLess(len(set(compared)), violations.MOST_VIOLATIONS + 1)

    def test_an_unexpected_key_is_refused_after_any_number_of_expected_ones(self):
        expected = {f"a{number}": 1 for number in range(violations.MOST_VIOLATIONS)}
        for schema in (
            {"patternProperties": {"^a": AMOUNT}},
            {"properties": dict.fromkeys(expected, AMOUNT)},
        ):
            schema = schema | {"additionalProperties": False}
            self.assertIsNone(self.complaint(schema, expected))
            self.assertIn("'typo'", self.complaint(schema, expected | {"typo": 1}))

    def test_valid_members_are_not_validated_again(self):
        describer = violations.validator_class(lambda schema: lambda value: value == "fine")
        for schema, instance in [
            ({"items": False}, ["fine"]),
            ({"patternProperties": {"": False}}, {"a": "fine"}),
            ({"additionalProperties": {"type": "integer"}}, {"a": "fine"}),
            ({"propertyNames": False}, {"fine": 1}),
        ]:
            self.assertEqual([], list(describer(schema).iter_errors(instance)), schema)


class UniqueItemsTest(testtools.TestCase):
    def are_unique(self, *items):
        return validation.of_body({"uniqueItems": True}).is_valid([*items])

    def test_items_are_compared_by_value(self):
        self.assertTrue(self.are_unique("a", "b", 1, True, "1", None, [1], {"a": 1}))
        for item in ["a", 1, True, None, [1], {"a": 1, "b": 2}]:
            self.assertFalse(self.are_unique(item, "x", item), item)
        self.assertFalse(self.are_unique({"a": 1, "b": 2}, {"b": 2, "a": 1}))

    def test_many_items_are_checked_without_comparing_each_pair(self):
        class Text(str):
            def __eq__(self, other):
                raise AssertionError

            __hash__ = str.__hash__

        # Values that cannot be sorted make it tempting to compare all pairs.
        self.assertTrue(self.are_unique(1, Text("a"), Text("b")))

    def test_duplicates_are_reported_as_by_jsonschema(self):
        validator = validation.of_body({"type": "array", "uniqueItems": True})
        complaint = validator.complaint(["a", "a"])
        self.assertTrue(
            complaint.startswith(
                "['a', 'a'] has non-unique elements\n\n"
                "Failed validating 'uniqueItems' in schema:\n"
            ),
            complaint,
        )

    def test_an_array_may_have_duplicates_unless_its_schema_forbids_them(self):
        self.assertTrue(validation.of_body({"uniqueItems": False}).is_valid([1, 1]))
        self.assertTrue(validation.of_body({"uniqueItems": True}).is_valid("aa"))


# Values that are likely to be nearly valid.
_UUIDS = ["aaaaaaaa-0000-4000-8000-000000000001", "AAAAAAAA000040008000000000000001"]
_TEXTS = ["", "VCPU", "VCPU\n", "CUSTOM_A", "name", "_1", "-" * 36, *_UUIDS, _UUIDS[0] + "\n"]
_NUMBERS = [0, 1, 1.0, 1.5, -1, 2**31, 2**70, 1e300, True]
_anything = strategies.recursive(
    strategies.sampled_from([None, *_TEXTS, *_NUMBERS]),
    lambda inner: strategies.one_of(
        strategies.lists(inner, max_size=2),
        strategies.dictionaries(strategies.sampled_from(_TEXTS), inner, max_size=2),
    ),
    max_leaves=4,
)


def documents(schema):
    """Return a strategy of documents that match `schema`, or often only nearly match it."""
    kind = schema.get("type")
    if kind == "object":
        named = {name: documents(each) for name, each in schema.get("properties", {}).items()}
        given = [*schema.get("patternProperties", {}).values()]
        if isinstance(schema.get("additionalProperties"), dict):
            given.append(schema["additionalProperties"])
        others = strategies.dictionaries(
            strategies.sampled_from(_TEXTS),
            strategies.one_of(_anything, *map(documents, given)),
            max_size=2,
        )
        likely = strategies.builds(
            lambda known, unknown: {**unknown, **known},
            strategies.fixed_dictionaries({}, optional=named),
            others if given else strategies.just({}),
        )
    elif kind == "array":
        likely = strategies.lists(documents(schema.get("items", {})), max_size=3)
    elif kind in ("integer", "number"):
        likely = strategies.sampled_from(_NUMBERS)
    else:
        likely = strategies.sampled_from(_TEXTS)
    return strategies.one_of(likely, likely, likely, _anything)


def _request_validators():
    """Return the Validators of all bodies and queries in all versions."""
    found = {}
    for minor in range(microversion.MAXIMUM[1] + 1):

        def since(behaviour, version=(1, minor)):
            return version >= behaviour.value

        for operation in operations.OPERATIONS.values():
            for validator_in in filter(None, (operation.body, operation.query)):
                found[id(validator_in(since))] = validator_in(since)
    return list(found.values())


def _complaint_alone(validator, document):
    """Return the complaint of a Validator that looks into everything."""
    thorough = violations.validator_class(lambda schema: lambda value: False)
    schema = annotations.stripped(validator.schema)
    return violations.complaint(
        thorough(schema, format_checker=validator.describer.format_checker),
        document,
        validator.schema,
    )


class JudgeTest(testtools.TestCase):
    """If a test fails, the fast judge and jsonschema disagree, and the fast judge wins."""

    @hypothesis.settings(properties.SETTINGS, max_examples=200)
    @hypothesis.given(strategies.data())
    def test_the_fast_validator_and_jsonschema_report_the_same_violation(self, data):
        validator = data.draw(strategies.sampled_from(_request_validators()))
        document = data.draw(documents(validator.schema))
        complaint = _complaint_alone(validator, document)
        self.assertEqual(complaint, validator.complaint(document))
        self.assertEqual(complaint is None, validator.is_valid(document))

    def test_the_slow_jsonschema_is_asked_only_about_text_that_ends_in_a_newline(self):
        validator = validation.of_query({"properties": {"a": {"pattern": "^x$"}}})
        for is_slow, value in ((False, "x"), (False, "y"), (False, "x\ny"), (True, "x\n")):
            with mock.patch.object(validator, "describer") as describer:
                validator.is_valid({"a": value})
            self.assertEqual(is_slow, describer.is_valid.called, value)
        self.assertTrue(validator.is_valid({"a": "x\n"}))
