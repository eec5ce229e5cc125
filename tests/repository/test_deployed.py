"""All operations for operators are tried on the web servers, in all spellings."""

import testtools

from placement import handler
from tests.deployed.web_servers import refusals


class Refusals(testtools.TestCase):
    """If it fails, no test shows that web servers refuse some operation."""

    def test_every_path_for_operators_is_spelled(self):
        paths = {path for path in handler.ROUTE_DECLARATIONS if path.startswith("/operator/")}
        self.assertEqual(paths, paths & {each.path for each in refusals.OPERATOR})
