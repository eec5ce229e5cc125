"""The text on a violation is bounded, and so is the work to find it."""

import itertools
from unittest import mock

import jsonschema
import testtools

from placement.schemas import validation

NAMES = {"type": "array", "items": {"type": "string", "maxLength": 5}}


class ComplaintTest(testtools.TestCase):
    def complaint(self, schema, instance):
        return validation.complaint(validation.of_body(schema), instance)

    def test_what_is_valid_has_no_complaint(self):
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

    def test_of_a_long_value_the_beginning_and_the_end_are_reported(self):
        complaint = self.complaint(NAMES, ["x" * 1000000 + "y"])
        self.assertLess(len(complaint), 3 * validation.LONGEST_TEXT)
        message, _, rest = complaint.partition("\n")
        self.assertTrue(message.startswith("'xxx"), message)
        self.assertTrue(message.endswith("xxy' is too long"), message)
        self.assertIn("Failed validating 'maxLength' in schema['items']:", rest)
        self.assertTrue(rest.endswith("xxy'"), rest)

    def test_what_just_fits_is_reported_in_full(self):
        value = "x" * (validation.LONGEST_TEXT - len("'' is too long"))
        self.assertTrue(self.complaint(NAMES, [value]).startswith(f"'{value}' is too long"))

    def test_so_it_is_with_a_large_document(self):
        document = dict.fromkeys(map(str, range(100000)), 1)
        complaint = self.complaint({"required": ["name"]}, document)
        self.assertLess(len(complaint), 2 * validation.LONGEST_TEXT)
        self.assertTrue(complaint.startswith("'name' is a required property\n"), complaint)
        self.assertTrue(complaint.endswith("'99999': 1}"), complaint)

    def test_and_with_a_long_key_on_the_way_to_it(self):
        complaint = self.complaint({"additionalProperties": {"type": "string"}}, {"x" * 1000000: 1})
        self.assertLess(len(complaint), 2 * validation.LONGEST_TEXT)
        self.assertTrue(complaint.endswith("xx']:\n    1"), complaint)

    def test_not_all_violations_are_found_first(self):
        validator = mock.Mock(spec=["iter_errors"])
        validator.iter_errors.return_value = itertools.repeat(jsonschema.ValidationError("one"))
        self.assertEqual("one", validation.complaint(validator, {}))


class UniqueItemsTest(testtools.TestCase):
    def are_unique(self, *items):
        return validation.of_body({"uniqueItems": True}).is_valid([*items])

    def test_items_are_compared_by_what_they_say(self):
        self.assertTrue(self.are_unique("a", "b", 1, True, "1", None, [1], {"a": 1}))
        for item in ["a", 1, True, None, [1], {"a": 1, "b": 2}]:
            self.assertFalse(self.are_unique(item, "x", item), item)
        self.assertFalse(self.are_unique({"a": 1, "b": 2}, {"b": 2, "a": 1}))

    def test_no_item_is_compared_with_each_other(self):
        class Text(str):
            def __eq__(self, other):
                raise AssertionError

            __hash__ = str.__hash__

        # What cannot be sorted invites to that.
        self.assertTrue(self.are_unique(1, Text("a"), Text("b")))

    def test_duplicates_are_reported_as_by_jsonschema(self):
        validator = validation.of_body({"type": "array", "uniqueItems": True})
        complaint = validation.complaint(validator, ["a", "a"])
        self.assertTrue(
            complaint.startswith(
                "['a', 'a'] has non-unique elements\n\n"
                "Failed validating 'uniqueItems' in schema:\n"
            ),
            complaint,
        )

    def test_an_array_may_repeat_itself_where_no_schema_forbids_it(self):
        self.assertTrue(validation.of_body({"uniqueItems": False}).is_valid([1, 1]))
        self.assertTrue(validation.of_body({"uniqueItems": True}).is_valid("aa"))
