"""Examples in the OpenAPI documents: they are what the service answers, and match the schemas."""

import json

import jsonschema
import testtools

from placement import openapi
from placement.openapi import examples, operations, without_handlers
from tests.documentation import recorded_examples
from tests.unit.openapi.documents import operations_of


class Examples(testtools.TestCase):
    def assert_recorded(self, anew, path):
        """Check that each example is as in a file. Show only the first that is not."""
        before = json.loads(path.read_text())
        for name in sorted(anew.keys() | before.keys()):
            self.assertEqual(before.get(name), anew.get(name), f"{name}: run make examples")

    def test_the_service_gives_the_answers_of_the_examples(self):
        self.assert_recorded(recorded_examples.record(), examples.PATH)

    def test_the_service_gives_the_refusals_of_the_examples(self):
        self.assert_recorded(recorded_examples.record_refusals(), examples.REFUSALS_PATH)

    def test_every_refusal_has_an_example_in_each_form(self):
        for version in openapi.VERSIONS:
            refusals = list(refusals_in(openapi.document(version)))
            self.assertLess(40, len(refusals))
            without = {
                (place, media_type)
                for place, response in refusals
                for media_type, form in response["content"].items()
                if not list(shown_in(form))
            }
            self.assertEqual((version, set()), (version, without))
        for place, response in refusals:
            [(_, _, shown)] = shown_in(response["content"]["text/html"])
            self.assertRegex(shown, "<h1>|<H2>", place)

    def test_every_operation_has_an_example(self):
        names = {operation.name for operation in operations.OPERATIONS.values()}
        names.add(without_handlers.DESCRIBE.name)
        recorded = {name for name in names if examples.of(name)}
        self.assertEqual(names, recorded)

    def test_the_newest_document_shows_every_example(self):
        """An example is in a body or a parameter or, without a body, in the path's variables."""
        document = openapi.document()
        without = {
            operation["operationId"]
            for _, url, operation in operations_of(document)
            if not list(shown_in([operation, document["paths"][url].get("parameters", [])]))
        }
        self.assertEqual(set(), without)

    def test_the_newest_document_shows_the_bodies_of_examples(self):
        shown, whole = set(), set()
        for method, url, operation in operations_of(openapi.document()):
            example = examples.of(operation["operationId"])
            if example is None:
                continue
            status = example["answer"]["status"].split()[0]
            for part, where in (
                ("request", operation.get("requestBody", {})),
                ("answer", operation["responses"][status]),
            ):
                if "body" in example[part]:
                    whole.add((method, url, part))
                    if "examples" in where["content"]["application/json"]:
                        shown.add((method, url, part))
        self.assertEqual(whole, shown, "After a change of the API: make examples.")

    def test_examples_fit_the_schema_beside_them_in_every_version(self):
        for version in openapi.VERSIONS:
            document = openapi.document(version)
            components = {"components": document["components"]}
            for place, schema, example in shown_in(document["paths"]):
                validator = jsonschema.Draft202012Validator(schema | components)
                for violation in validator.iter_errors(example):
                    self.fail(f"{version} {place}: {violation}")

    def test_examples_of_parameters_are_from_the_same_request(self):
        parameters = openapi.document()["paths"]["/allocation_candidates"]["get"]["parameters"]
        given = {each["name"]: each["example"] for each in parameters if "example" in each}
        self.assertEqual(1, given["limit"])
        self.assertEqual("VCPU:2,MEMORY_MB:2048", given["resources"])
        self.assertEqual({"resources_GPU": "PGPU:1"}, given["resources_by_group"])
        self.assertEqual({"required_GPU": ["CUSTOM_QUIET"]}, given["required_by_group"])

    def test_examples_are_shown_in_older_versions_only_where_they_fit(self):
        def request(version):
            path = openapi.document(version)["paths"]["/allocations/{consumer_uuid}"]
            return path["put"]["requestBody"]["content"]["application/json"]

        self.assertIn("examples", request((1, 38)))
        self.assertNotIn("examples", request((1, 37)))


def refusals_in(document):
    """Yield (place, response) of all responses about errors in a document."""
    yield from document["components"]["responses"].items()
    for _, _, operation in operations_of(document):
        for status, response in operation["responses"].items():
            if status[0] not in "23" and "$ref" not in response:
                yield f"{operation['operationId']} {status}", response


def shown_in(part, place=""):
    """Yield (place, schema, example) of all examples in a part of a document."""
    if isinstance(part, list):
        for number, each in enumerate(part):
            yield from shown_in(each, f"{place}/{number}")
    if isinstance(part, dict):
        if "example" in part:
            yield place, part["schema"], part["example"]
        if "examples" in part:
            for each in part["examples"].values():
                yield place, part["schema"], each["value"]
        for name, each in part.items():
            if name not in ("example", "examples", "schema"):
                yield from shown_in(each, f"{place}/{name}")
