"""The page at /operator/ has the limits of the service."""

import pathlib
import re

import testtools

import placement
from placement import constants
from placement.schemas.operator import capacity, find, fit

LIMITS = pathlib.Path(placement.__file__).parent / "web" / "page" / "limits.js"


def longest_names():
    """Yield how long a text to find, and the name of a request of a mix, may be."""
    yield find.query().schema["properties"]["q"]["maxLength"]
    requests = fit.mix().schema["properties"]["requests"]
    yield requests["items"]["properties"]["name"]["maxLength"]


class PageLimits(testtools.TestCase):
    def test_they_are_those_of_the_service(self):
        in_page = dict(re.findall(r"^export const (\w+) = (\d+);$", LIMITS.read_text(), re.M))
        (longest_name,) = set(longest_names())
        in_service = {
            "MOST_CANDIDATES": constants.MOST_COUNTED_CANDIDATES,
            "MOST_INVENTORIES": capacity.MOST_TOP,
            "MOST_IDS": find.MOST_IDS,
            "LONGEST_NAME": longest_name,
        }
        self.assertEqual(in_service, {name: int(value) for name, value in in_page.items()})
