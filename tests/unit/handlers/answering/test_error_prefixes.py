import testtools
from oslo_db import exception as db_exc

from placement import exception
from placement.handlers.answering import error_prefixes

PREFIXES = {
    exception.InventoryExists: "",
    exception.ConcurrentUpdate: "Update conflict: ",
    exception.InvalidValue: "Unable to create: ",
}


class WordingTest(testtools.TestCase):
    def prefixed(self, error):
        with self.assertRaises(type(error)) as caught, error_prefixes.prefix_errors(PREFIXES):
            raise error
        return str(caught.exception)

    def test_the_first_matching_exception_class_gives_the_prefix(self):
        self.assertEqual(
            "Unable to create: No such resource class X",
            self.prefixed(exception.UnknownResourceClass(name="X")).rstrip("."),
        )
        self.assertTrue(
            self.prefixed(exception.ConcurrentUpdate()).startswith("Update conflict: Another")
        )

    def test_an_exception_without_a_prefix_is_left_as_it_is(self):
        existing = exception.InventoryExists(class_name="VCPU")
        self.assertEqual(str(existing), self.prefixed(existing))

    def test_an_exception_that_is_not_listed_is_left_as_it_is(self):
        missing = exception.ResourceProviderNotFound(uuid="x")
        self.assertEqual("No resource provider with uuid x found", self.prefixed(missing))

    def test_an_exception_after_the_last_retry_has_its_prefix(self):
        lost = exception.ConcurrentUpdate()
        with self.assertRaises(db_exc.RetryRequest), error_prefixes.prefix_errors(PREFIXES):
            raise db_exc.RetryRequest(lost)
        self.assertTrue(str(lost).startswith("Update conflict: Another"))

    def test_exceptions_of_other_kinds_pass_unchanged(self):
        with self.assertRaises(ValueError), error_prefixes.prefix_errors(PREFIXES):
            raise ValueError()
