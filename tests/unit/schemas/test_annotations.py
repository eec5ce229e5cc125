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
