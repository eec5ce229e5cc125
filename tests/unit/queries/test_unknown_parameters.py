"""The reasons that the log and the commands give for a parameter that a query cannot have."""

import testtools

from placement import exception
from placement.microversion import newest
from placement.queries import (
    candidate_query,
    provider_query,
    query_string,
    unknown_parameters,
)

CANDIDATES = candidate_query.validator(newest)


def in_first_version(behaviour):
    """Stands for the `since` of 1.0."""
    return False


class Sentences(testtools.TestCase):
    def assert_refused(self, cause, query, validator=CANDIDATES):
        error = self.assertRaises(
            exception.UnknownParameter, query_string.of_argument, query, validator
        )
        self.assertEqual(cause, error.cause)

    def test_similar_parameters_are_suggested(self):
        for name, meant in (
            ("requird", "'required' or 'root_required'"),
            ("resource", "'resources' or 'required'"),
            ("same_subtre", "'same_subtree'"),
        ):
            self.assert_refused(
                f"The query has no parameter '{name}'. Did you mean {meant}?",
                f"resources=VCPU:1&{name}=X",
            )

    def test_only_parameters_of_the_version_are_suggested(self):
        for since, hint in ((newest, " Did you mean 'in_tree'?"), (in_first_version, "")):
            self.assert_refused(
                f"The query has no parameter 'in_tre'.{hint}",
                "in_tre=X",
                provider_query.validator(since),
            )

    def test_a_name_stays_on_one_line(self):
        self.assert_refused(r"The query has no parameter 'a\nb'.", "a%0Ab=1")

    def test_it_is_named_although_another_parameter_is_missing(self):
        self.assert_refused(
            "The query has no parameter 'colour'.",
            "colour=red",
            candidate_query.validator(in_first_version),
        )

    def test_a_bad_value_is_not_an_unknown_parameter(self):
        error = self.assertRaises(
            exception.BadQuery, query_string.of_argument, "limit=x", CANDIDATES
        )
        self.assertEqual(
            "Invalid query string parameters: limit: 'x' does not match '^[1-9][0-9]*$'",
            error.cause,
        )


class Versions(testtools.TestCase):
    def test_the_version_is_named_that_a_parameter_came_with(self):
        for accepted, name, number in (
            (provider_query.validator, "in_tree", "1.14"),
            (candidate_query.validator, "resources1", "1.25"),
            (candidate_query.validator, "resources_CPU", "1.33"),
        ):
            self.assertEqual(
                f"The query has no parameter '{name}' before microversion {number}.",
                unknown_parameters.sentence_by_version(name, accepted),
            )

    def test_a_parameter_of_no_version_has_no_such_sentence(self):
        self.assertIsNone(
            unknown_parameters.sentence_by_version("colour", candidate_query.validator)
        )
