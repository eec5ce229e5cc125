"""The map of the code in the docs names everything that exists, and nothing that is gone."""

import pathlib
import re

import testtools

import placement
from placement import middleware

PACKAGE = pathlib.Path(placement.__file__).parent
REPOSITORY = pathlib.Path(__file__).parents[2]


def names_in(directory):
    """Return what a directory of code has: modules, and directories, which end in a slash."""
    files = (path for path in directory.glob("*/*") if path.suffix in (".js", ".py", ".yaml"))
    directories = {path.parent for path in files}
    modules = {path.name for path in directory.glob("*.py")} - {"__init__.py"}
    return modules | {f"{path.name}/" for path in directories}


class Map(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.page = (REPOSITORY / "doc" / "how-to" / "develop.rst").read_text()

    def test_every_folder_of_the_package_is_in_the_developers_guide(self):
        named = set(re.findall(r"``placement/([a-z_]+(?:/|\.py))``", self.page))
        self.assertEqual(names_in(PACKAGE), named)

    def test_every_folder_of_tests_is_in_the_developers_guide(self):
        named = set(re.findall(r"``tests/([a-z_]+/)``", self.page))
        there = {name for name in names_in(REPOSITORY / "tests") if name.endswith("/")}
        self.assertEqual(there, named)

    def test_the_order_of_the_middleware_has_every_layer(self):
        named = set(re.findall(r"^    ([a-z_]+) ", middleware.__doc__, re.MULTILINE))
        modules = {name.removesuffix(".py") for name in names_in(PACKAGE / "middleware")}
        self.assertEqual(modules, named)
