"""What the tests of all schemas ask: is this document accepted, and if not, why?"""

import testtools
from jsonschema.exceptions import best_match

UUID = "aaaaaaaa-0000-4000-8000-000000000001"
OTHER = "aaaaaaaa-0000-4000-8000-000000000002"


class SchemaTestCase(testtools.TestCase):
    def assert_told(self, validator, cases):
        """`cases` are (document, the start of what is told of it, or None if it is accepted)."""
        for document, told in cases:
            violation = best_match(validator.iter_errors(document))
            if told is None:
                self.assertIsNone(violation, f"{document} is refused: {violation}")
            else:
                self.assertIsNotNone(violation, f"{document} is accepted")
                self.assertTrue(
                    str(violation).startswith(told),
                    f"{document} is refused, but otherwise: {violation}",
                )
