"""A query string means the same, whether a client sends it or a person types it."""

from unittest import mock

import testtools
from webob.multidict import MultiDict

from placement import exception
from placement.microversion import newest
from placement.queries import provider_query, query_string

ACCEPTED = provider_query.validator(newest)


class Arguments(testtools.TestCase):
    """If a test fails, a command reads a query differently from the service."""

    def test_a_name_may_be_typed_as_it_is_or_quoted(self):
        for typed in ("name=b\u00fccher", "name=b%C3%BCcher"):
            self.assertEqual("b\u00fccher", query_string.of_argument(typed, ACCEPTED)["name"])

    def test_arguments_that_the_service_refuses_are_refused(self):
        # The last one is how Python hands over an octet that is not UTF-8.
        for typed in ("colour=red", "name=%ff", "name=\udcff"):
            refusal = self.assertRaises(
                exception.BadQuery, query_string.of_argument, typed, ACCEPTED
            )
            self.assertIn("Invalid query string parameters: ", str(refusal))

    def test_the_last_and_sometimes_the_first_value_of_a_repeated_key_is_checked(self):
        hidden = "in_tree=nothing&in_tree=5e4f0001-0000-4000-8000-000000000001"
        self.assertEqual(2, len(query_string.of_argument(hidden, ACCEPTED)))
        for values in (query_string.first_and_last, query_string.every):
            self.assertRaises(
                exception.BadQuery, query_string.of_argument, hidden, ACCEPTED, values
            )

    def test_the_work_for_a_key_does_not_grow_with_the_number_of_keys(self):
        query = MultiDict(("name", str(number)) for number in range(9))
        with mock.patch.object(MultiDict, "__getitem__", side_effect=AssertionError):
            for values in (query_string.last, query_string.first_and_last, query_string.every):
                query_string.check(query, ACCEPTED, values)
