"""The numbers in queries of operators: the patterns admit what the descriptions promise."""

import testtools

from placement.schemas import common, validation
from placement.schemas.operator import capacity, changes, explanation, fit, release

NO_PARAMETERS = validation.of_query(common.record({}))


class Numbers(testtools.TestCase):
    def test_the_least_and_the_most_are_accepted_and_nothing_beyond(self):
        for validator, name, least, most in (
            (capacity.query(("class",)), "top", 0, capacity.MOST_TOP),
            (changes.query(("traits",), "2026-11-01", "1h"), "limit", 1, changes.MOST_CHANGES),
            (explanation.query(NO_PARAMETERS), "closest", 0, explanation.MOST_CLOSEST),
            (fit.query(NO_PARAMETERS), "top", 0, fit.MOST_TOP),
            (fit.query(NO_PARAMETERS), "bound", 1, fit.MOST_BOUND),
            (release.query(NO_PARAMETERS), "top", 1, release.MOST_TOP),
        ):
            for number, is_valid in (
                (least - 1, False),
                (least, True),
                (most - 1, True),
                (most, True),
                (most + 1, False),
            ):
                with self.subTest(name=name, number=number):
                    self.assertEqual(is_valid, validator.is_valid({name: str(number)}))
