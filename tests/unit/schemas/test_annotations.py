"""What a schema says to readers does not appear in complaints about documents."""

import json

import testtools

from placement.schemas import annotations, common, inventory, validation

AMOUNT = annotations.described("How much.", {"type": "integer", "minimum": 1})
PLAIN = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "description": {"type": "integer", "minimum": 1},
    },
    "required": ["title"],
    "additionalProperties": False,
}


class Annotations(testtools.TestCase):
    def annotated(self):
        properties = {"title": annotations.described("A word.", common.TEXT), "description": AMOUNT}
        return annotations.titled("Thing", common.record(properties, required=["title"]))

    def test_a_description_may_be_replaced_and_comes_first(self):
        self.assertEqual(
            ["description", "type", "minimum"], list(annotations.described("Less.", AMOUNT))
        )
        self.assertEqual("Less.", annotations.described("Less.", AMOUNT)["description"])
        self.assertEqual("How much.", AMOUNT["description"])

    def test_a_schema_without_annotations_keeps_its_content_and_order(self):
        """Properties may have the same names as annotations."""
        for around in (
            lambda schema: schema,
            lambda schema: {"type": "array", "items": schema},
            lambda schema: {"anyOf": [schema, {"type": "null"}]},
            lambda schema: {"patternProperties": {"^title$": schema}},
            common.by_key,
        ):
            stripped = annotations.stripped(around(self.annotated()))
            self.assertEqual(json.dumps(around(PLAIN)), json.dumps(stripped))

    def test_a_complaint_does_not_quote_annotations(self):
        self.assertEqual(
            validation.of_body(PLAIN).complaint({"x": 1}),
            validation.of_body(self.annotated()).complaint({"x": 1}),
        )
        complaint = inventory.create().complaint({"resource_class": "VCPU"})
        self.assertIn("Failed validating 'required' in schema:\n    {'type': 'object',", complaint)
        self.assertNotIn("title", complaint)
        self.assertNotIn("description", complaint)

    def test_a_complaint_says_in_words_what_a_text_has_to_be(self):
        """If it fails, who has mistyped a number has to understand a regular expression."""
        number = {"type": "string", "pattern": "^[1-9]$"}
        for place, around, document in (
            ("n", lambda schema: {"properties": {"n": schema}}, {"n": "0"}),
            ("2", lambda schema: {"items": schema}, ["1", "2", "0"]),
        ):
            schema = around(annotations.expected("a digit from 1 to 9", number))
            complaint = validation.of_body(schema).complaint(document)
            self.assertEqual(f"{place}: '0' is not a digit from 1 to 9", complaint.short)
            self.assertIn("Failed validating 'pattern' in schema", complaint)
            self.assertNotIn("expected", complaint)

    def test_a_pattern_without_words_is_quoted(self):
        schema = {"properties": {"n": {"type": "string", "pattern": "^[1-9]$"}}}
        complaint = validation.of_body(schema).complaint({"n": "0"})
        self.assertEqual("n: '0' does not match '^[1-9]$'", complaint.short)
