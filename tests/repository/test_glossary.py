"""The glossary names code: a word whose code was renamed would send its reader nowhere."""

import ast
import collections
import importlib
import pathlib
import re

import testtools

from placement.db import tables

PAGE = pathlib.Path(__file__).parents[2] / "doc" / "explanation" / "model.rst"
PACKAGE = pathlib.Path(tables.__file__).parents[1]


def modules_by_class():
    """Return {name of a class: its modules} for the service, without what it ships for tests."""
    modules = collections.defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        module = str(path.relative_to(PACKAGE))
        if not module.startswith("tests/"):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef):
                    modules[node.name].append(module)
    return modules


def cited_names():
    """Return the names in the brackets that end a definition."""
    brackets = re.findall(r"\[(``[^]]+)\]\.$", PAGE.read_text(), re.MULTILINE)
    return [name for each in brackets for name in re.findall(r"``([\w.]+)``", each)]


def find(name):
    """Return what a name stands for in the package. Raises: ImportError, AttributeError."""
    parts = name.split(".")
    found, path = None, "placement"
    for index, part in enumerate(parts):
        try:
            found = importlib.import_module(f"{path}.{part}")
        except ModuleNotFoundError:
            for attribute in parts[index:]:
                found = getattr(found, attribute)
            return found
        path = f"{path}.{part}"
    return found


class Glossary(testtools.TestCase):
    def test_every_name_of_code_in_the_glossary_exists(self):
        columns = {
            f"{table.name}.{column.name}"
            for table in tables.metadata.tables.values()
            for column in table.columns
        }
        names = cited_names()
        self.assertGreater(len(names), 20)
        for name in names:
            if name not in columns:
                self.assertIsNotNone(find(name), name)

    def test_a_name_in_the_glossary_that_no_code_has_is_noticed(self):
        self.assertRaises(AttributeError, find, "objects.ledger_audit.no_such_function")
        self.assertRaises(AttributeError, find, "objects.no_such_module")

    def test_no_two_classes_of_the_service_share_a_name(self):
        """If it fails, a reader may take one class for the other."""
        shared = {name: paths for name, paths in modules_by_class().items() if len(paths) > 1}
        self.assertEqual({}, shared)
