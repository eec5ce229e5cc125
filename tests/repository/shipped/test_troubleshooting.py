"""The page that leads from errors to their causes has every error that the service can return."""

import pathlib
import re

import testtools

from placement import errors
from placement.db.faults import outages
from placement.middleware import error_statuses

PAGE = pathlib.Path(__file__).parents[3] / "doc" / "how-to" / "troubleshooting.rst"


class Troubleshooting(testtools.TestCase):
    def setUp(self):
        super().setUp()
        # The terms that a list explains are at the beginning of a line.
        self.terms = [
            line for line in PAGE.read_text().splitlines() if line and not line[0].isspace()
        ]

    def in_code(self):
        return {name for line in self.terms for name in re.findall(r"``(.+?)``", line)}

    def test_every_error_code_is_explained(self):
        self.assertEqual(set(), set(errors.CODES) - self.in_code())

    def test_every_reason_of_an_outage_is_explained(self):
        reasons = {reason.value for reason in outages.Reason}
        self.assertEqual(set(), reasons - self.in_code())

    def test_every_status_of_an_expected_error_is_explained(self):
        statuses = {str(fault.http_error.code) for fault in error_statuses.FAULTS.values()}
        explained = {number for line in self.terms for number in re.findall(r"\b\d{3}\b", line)}
        self.assertEqual(set(), (statuses | {"500", "503"}) - explained)
