"""Query parameters: each one is described, and no others are."""

import testtools

from placement import microversion, openapi
from placement.openapi import parameters, routes


class Parameters(testtools.TestCase):
    def test_every_described_parameter_belongs_to_an_operation(self):
        """If it fails, a subject was renamed, and a key that names the subject matches nothing."""
        known = set()
        for version in openapi.VERSIONS:
            for route in routes.in_version(lambda behaviour, at=version: at >= behaviour.value):
                if route.operation.query:
                    known |= keys(route, version)
        self.assertEqual(set(parameters._VALUES), known)


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
