"""The table of versions, the gates of the handlers, and the history that users read.

There is one handler for all versions, so that no two can claim the same one; what could go wrong
is that a version is forgotten, or that history and gates say different things.
"""

import ast
import collections
import pathlib
import re

import testtools

import placement
from placement import microversion, openapi
from placement.microversion import Since
from placement.middleware import health, version_negotiation

PACKAGE = pathlib.Path(placement.__file__).parent
CHECKOUT = PACKAGE.parent
HISTORY = CHECKOUT / "doc" / "reference" / "history.rst"
# These say "1.0 to" the newest version; the second one of comparison.rst is openstack-placement's.
PAGES = (
    *("README.rst", "doc/index.rst", "doc/reference/comparison.rst"),
    *("doc/reference/placement-manage.rst", "doc/man/placement-manage.1"),
)

_TITLE = re.compile(r"^(\d+\.\d+) .+\n=+\n", re.MULTILINE)


def history():
    """[(version, text)] of the sections of the history."""
    _, *sections = _TITLE.split(HISTORY.read_text())
    return list(zip(sections[::2], sections[1::2], strict=True))


def versions_by_operation():
    """{"METHOD path": [(major, minor)] of those that have it, in order}."""
    found = collections.defaultdict(list)
    for minor in range(microversion.MAXIMUM[1] + 1):
        version = (microversion.MAXIMUM[0], minor)
        for url, path in openapi.document(version)["paths"].items():
            for method in path.keys() - {"parameters"}:
                found[f"{method.upper()} {url}"].append(version)
    return found


class Versions(testtools.TestCase):
    def test_each_version_brings_one_behaviour(self):
        # The names of an Enum whose values are equal are aliases, which iteration leaves out.
        self.assertEqual(
            microversion.VERSIONS[1:],
            [microversion.text(behaviour.value) for behaviour in Since.__members__.values()],
        )

    def test_every_behaviour_is_used_somewhere(self):
        asked = {
            node.attr
            for path in PACKAGE.rglob("*.py")
            # A description changes nothing.
            if "openapi" not in path.parts
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Attribute)
            and ast.unparse(node.value).endswith("Since")
            and node.attr.isupper()
        }
        self.assertEqual(set(Since.__members__), asked)

    def test_an_operation_stays_in_every_later_version(self):
        for operation, versions in versions_by_operation().items():
            major, first = versions[0]
            since_then = range(first, microversion.MAXIMUM[1] + 1)
            self.assertEqual([(major, minor) for minor in since_then], versions, operation)


class History(testtools.TestCase):
    def test_the_history_has_every_version_once_and_in_order(self):
        told = [version for version, _ in history()]
        self.assertEqual(microversion.VERSIONS, told, "in doc/reference/history.rst")

    def test_pages_that_name_the_newest_version_are_up_to_date(self):
        named = {
            page: re.search(r"1\.0 to\s+(\d+\.\d+)", (CHECKOUT / page).read_text())[1]
            for page in PAGES
        }
        self.assertEqual(dict.fromkeys(PAGES, microversion.VERSIONS[-1]), named)

    def test_each_operation_is_listed_where_it_begins(self):
        texts = {version: " ".join(text.split()) for version, text in history()}
        for operation, versions in versions_by_operation().items():
            url = operation.partition(" ")[2]
            if url.startswith((*version_negotiation.UNVERSIONED, health.PATH)):
                continue
            mentions = [version for version, text in texts.items() if f"``{operation}``" in text]
            self.assertEqual([microversion.text(versions[0])], mentions[:1], operation)
