"""Query parameters: each one is described, and no others are."""

import json

import testtools

from placement import microversion, openapi
from placement.openapi import parameters, routes
from placement.schemas import annotations


class Parameters(testtools.TestCase):
    def test_every_described_parameter_belongs_to_an_operation(self):
        """If it fails, a subject was renamed, and a key that names the subject matches nothing."""
        known = set()
        for version in openapi.VERSIONS:
            for route in routes.in_version(lambda behaviour, at=version: at >= behaviour.value):
                if route.operation.query:
                    known |= keys(route, version)
        self.assertEqual(set(parameters._VALUES), known)

    def test_parameters_of_the_same_name_are_described_for_their_operation(self):
        """If it fails, a reader is told what the parameter of another operation does."""
        said = {}
        for path, operations in openapi.document(microversion.MAXIMUM)["paths"].items():
            for parameter in operations.get("get", {}).get("parameters", ()):
                said[path, parameter.get("name")] = parameter.get("description")
        for path, name, words in (
            ("/operator/capacity", "by", "or for each aggregate"),
            ("/operator/capacity/history", "by", "Only class"),
            ("/operator/survival", "by", "What is lost at once"),
            ("/operator/capacity", "top", "fullest inventories to list: 0 to 1000, by default 20."),
            ("/operator/fit", "top", "hosts to list"),
            ("/operator/explanation", "limit", "Has no effect"),
            ("/operator/changes", "limit", "How many changes"),
        ):
            self.assertIn(words, said[path, name])
        self.assertNotIn("inventories", said["/operator/fit", "top"])

    def test_a_document_has_no_words_that_are_meant_for_messages(self):
        document = json.dumps(openapi.document(microversion.MAXIMUM))
        self.assertNotIn(f'"{annotations._EXPECTED}": ', document)


def keys(route, version):
    """Return the keys under which the parameters of a Route are described."""
    unversioned = openapi._is_unversioned(route.url)
    since = microversion.newest if unversioned else lambda behaviour: version >= behaviour.value
    schema = route.operation.query(since).schema
    names = [*schema["properties"]]
    names += [
        parameters._GROUP_KEY.fullmatch(key)[1] for key in schema.get("patternProperties", {})
    ]
    return {
        of_subject if (of_subject := f"{route.subject}.{name}") in parameters._VALUES else name
        for name in names
    }
