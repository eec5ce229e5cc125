"""Paths that are written outside the table of routes are in it, with their methods.

They are in the rules of the policy, in the page at /operator/, in the commands of openstackclient,
and in comments, messages and documentation.
"""

import pathlib
import re

import testtools

import placement
from placement.handler import ROUTE_DECLARATIONS
from placement.metrics import client as metrics
from placement.middleware import health
from placement.openapi import routes
from placement.policies import operations, public
from placement.web import description

PACKAGE = pathlib.Path(placement.__file__).parent
REPOSITORY = pathlib.Path(__file__).parents[2]
CLIENT = REPOSITORY / "client" / "osc_placement_server"
SOURCES = (
    *sorted(PACKAGE.rglob("*.py")),
    *sorted(CLIENT.rglob("*.py")),
    *sorted((REPOSITORY / "doc").rglob("*.rst")),
    *sorted(path for path in (REPOSITORY / "etc").rglob("*") if path.is_file()),
    REPOSITORY / "README.rst",
)
# What the service answers without a handler in the table.
_OTHERS = {health.PATH, metrics.PATH, public.DOCS, f"{public.OPERATOR}/"}
_MENTION = re.compile(r"\b(GET|PUT|POST|DELETE)\s+(/(?:[\w/.-]|{\w+})*(?<=[\w/}]))")


def page_files():
    """Yield the modules of the page."""
    page = PACKAGE / "web" / "page"
    return [path for path in sorted(page.rglob("*.js")) if "lib" not in path.parts]


def is_served(method, path):
    """Return whether a method and a path, which may lack its last variable, are in the table."""
    if method == "GET" and path in _OTHERS:
        return True
    return any(
        method in methods and _pattern(url).fullmatch(path)
        for url, methods in (ROUTE_DECLARATIONS | description.DECLARATIONS).items()
    )


def _pattern(url):
    """Return the pattern of the paths at a URL of the table."""
    optional = re.sub(r"/{\w+}$", "(/{last})?", url)
    return re.compile(re.sub(r"{\w+}", "[^/]+", optional))


class Paths(testtools.TestCase):
    def test_each_operation_of_the_policy_is_that_of_a_handler_with_its_rule(self):
        guarded = {
            (each.name, operation["method"], operation["path"])
            for each in operations.RULES
            for operation in each.operations
        }
        handled = {
            (route.policy_rule, route.method, route.url)
            for route in routes.in_version(lambda _: True)
            if route.policy_rule is not None
        }
        self.assertEqual(handled, guarded)

    def test_the_page_asks_what_the_service_answers(self):
        found = 0
        for file in page_files():
            for line in file.read_text().splitlines():
                for path in re.findall(r'(?:\bpath=|\b(?:ask|use\w+)\()"([\w/]+)"', line):
                    method = "POST" if re.search(r"\bbody\b", line) else "GET"
                    self.assertTrue(is_served(method, f"/{path}"), f"{file}: {method} {path}")
                    found += 1
        written = sum(file.read_text().count('"operator/') for file in page_files())
        self.assertGreaterEqual(found, written)

    def test_the_commands_of_openstackclient_ask_what_the_service_answers(self):
        found = 0
        for file in sorted(CLIENT.rglob("*.py")):
            source = file.read_text()
            method = "POST" if "service.post(" in source else "GET"
            for path in re.findall(r'(?:\bpath = |service\.get\(self\.app, )"(/[\w/]+)"', source):
                self.assertTrue(is_served(method, path), f"{file}: {method} {path}")
                found += 1
        written = sum(file.read_text().count('"/') for file in CLIENT.rglob("*.py"))
        self.assertEqual(written, found)

    def test_operations_that_are_mentioned_exist(self):
        for file in SOURCES:
            for method, path in _MENTION.findall(file.read_text()):
                self.assertTrue(is_served(method, path), f"{file}: {method} {path}")
