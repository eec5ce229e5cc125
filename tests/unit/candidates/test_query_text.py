"""A query for candidates is written as a query string, for links that people follow."""

import unittest

from placement.candidates import query_text
from placement.queries import query_form

RACK, ROW = "7ac40000-0000-4000-8000-000000000001", "70a40000-0000-4000-8000-000000000002"


class QueryStrings(unittest.TestCase):
    """If a test fails, a link of the page is refused, or asks for something else."""

    def written_again(self, query):
        read, ignored = query_form.read({"query": query})
        self.assertEqual([], ignored)
        return query_text.query_string(query_text.written_constraints(read))

    def test_traits_are_a_list_and_each_choice_of_traits_is_a_parameter(self):
        query = "resources=VCPU:1&required=CUSTOM_GOLD,CUSTOM_SSD&required=in:CUSTOM_A,CUSTOM_B"
        self.assertEqual(query, self.written_again(query))

    def test_each_aggregate_is_a_parameter(self):
        query = f"resources=VCPU:1&member_of={ROW}&member_of={RACK}"
        self.assertEqual(set(query.split("&")), set(self.written_again(query).split("&")))
