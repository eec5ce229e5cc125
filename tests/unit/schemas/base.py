"""What the tests of all schemas check: whether a document is accepted and, if not, why."""

import testtools

UUID = "aaaaaaaa-0000-4000-8000-000000000001"
OTHER = "aaaaaaaa-0000-4000-8000-000000000002"


class SchemaTestCase(testtools.TestCase):
    def assert_complaints(self, validator, cases):
        """`cases` are (document, the start of the complaint, or None if it is accepted)."""
        for document, complaint in cases:
            violation = validator.complaint(document)
            if complaint is None:
                self.assertIsNone(violation, f"{document} is refused: {violation}")
            else:
                self.assertIsNotNone(violation, f"{document} is accepted")
                self.assertTrue(
                    violation.startswith(complaint),
                    f"{document} is refused for another reason: {violation}",
                )
