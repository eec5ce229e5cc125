"""References in code and tests lead somewhere: rule numbers to rules, paths to pages."""

import ast
import functools
import io
import pathlib
import re
import tokenize
import unittest

from tests.documentation import examples

REPOSITORY = pathlib.Path(__file__).parent.parent.parent
ROOMS = ("placement", "tests", "bench", "alembic", "doc")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


class Citations(unittest.TestCase):
    def test_every_rule_that_is_cited_exists(self):
        rules = set(examples.rules())
        letters = "".join(sorted({rule[0] for rule in rules}))
        self.assert_nothing(
            rf"\b[{letters}]\d{{1,2}}\b", unless=lambda cited: cited in rules, what="no such rule"
        )

    def test_every_page_that_is_cited_exists(self):
        self.assert_nothing(
            r"\bdoc/[\w/-]+\.rst\b",
            unless=lambda cited: (REPOSITORY / cited).is_file(),
            what="no such page",
        )

    def test_every_module_that_is_cited_exists(self):
        """If it fails, a module was moved or renamed, but not what cites it."""
        modules = {path.name for room in ROOMS for path in (REPOSITORY / room).rglob("*.py")}
        modules |= {path.name for path in REPOSITORY.glob("etc/**/*.py")}
        self.assert_nothing(
            r"\b\w+\.py\b", unless=lambda cited: cited in modules, what="no such module"
        )

    def test_nothing_refers_to_a_contract(self):
        """The repository has no contract: the code follows the rules, the pages and other specs."""
        self.assert_nothing(r"(?i)\bcontract\w*", unless=lambda cited: False, what="where is it?")

    def test_every_rule_has_a_title_and_a_label(self):
        """Without them, links to it break."""
        page = examples.PAGE.read_text()
        self.assertEqual(examples.rules(), re.findall(r"^\.\. _([A-Z]\d+):$", page, re.MULTILINE))

    def assert_nothing(self, pattern, unless, what):
        found = [
            f"{path}: {cited}: {what}"
            for path, prose in _prose()
            for cited in re.findall(pattern, prose)
            if not unless(cited)
        ]
        self.assertEqual([], found)


@functools.cache
def _prose():
    """Return (path, text) of every docstring and comment outside of this file."""
    return [
        (path.relative_to(REPOSITORY), text)
        for room in ROOMS
        for path in sorted((REPOSITORY / room).rglob("*.py"))
        if path != pathlib.Path(__file__)
        for text in _prose_of(path.read_text())
    ]


def _prose_of(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
