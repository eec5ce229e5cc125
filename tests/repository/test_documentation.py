"""The documentation: the tables of the API reference are complete, and prose is wrapped."""

import pathlib
import re

import testtools

from demo import tour
from doc.extensions import eras
from placement import microversion, openapi
from placement.handler import ROUTE_DECLARATIONS
from placement.web import description

ROOT = pathlib.Path(eras.__file__).parents[2]
PAGES = ROOT / "doc" / "reference" / "api"
OLDEST, *_, BEFORE_NEWEST, NEWEST = openapi.VERSIONS

# The most characters in a line of prose.
MOST = 100
# These are not wrapped: literal blocks, directives with other kinds of text, and tables.
_OPENS_BLOCK = re.compile(r"^ *(\.\. (?P<directive>[\w-]+)::.*|.*::)$")
_OF_PROSE = {"note", "warning", "tip", "glossary", "list-table", "image", "figure", "rubric"}
_OF_TABLE = re.compile(r"^ *(\||\+[-=]|=+( +=+)+$)")


def field(name, form="string"):
    return eras.Field(name, form, False, "")


def _fields(operation):
    """All fields that the reference shows of one operation in one version."""
    fields = eras.variables(operation) + eras.parameters(operation)
    for part in (operation.get("requestBody", {}), *operation["responses"].values()):
        content = part.get("content", {}).get("application/json")
        if content:
            fields += eras.body(content["schema"])
    return fields


class Reference(testtools.TestCase):
    def test_every_url_is_on_one_page(self):
        urls = [
            line.strip()
            for page in PAGES.glob("*.rst")
            for _, content in re.findall(
                r"^\.\. (operations)::\n\n((?:    .+\n)+)", page.read_text(), re.MULTILINE
            )
            for line in content.splitlines()
        ]
        declared = [url for url in ROUTE_DECLARATIONS if url]
        self.assertEqual(sorted([*declared, *description.DECLARATIONS]), sorted(urls))

    def test_only_one_method_is_newer_than_its_url(self):
        """The index says that only this method gets a 405 before its version; others get a 404."""
        born = {
            (url, method): getattr(handler, "since", None)
            for url, methods in ROUTE_DECLARATIONS.items()
            for method, handler in methods.items()
        }
        younger = {
            (method, url)
            for (url, method), since in born.items()
            if since and None in {born[other] for other in born if other[0] == url}
        }
        self.assertEqual({("DELETE", "/resource_providers/{uuid}/inventories")}, younger)


class Eras(testtools.TestCase):
    def test_a_field_that_never_changed_is_one_row(self):
        rows = eras.merged(dict.fromkeys(openapi.VERSIONS, [field("a")]))
        self.assertEqual([eras.Row(field("a"), OLDEST, NEWEST)], rows)
        self.assertEqual("", rows[0].when())

    def test_a_change_makes_two_rows_the_newer_first(self):
        old, new = field("a"), field("a", "integer")
        rows = eras.merged(
            {version: [new if version >= (1, 20) else old] for version in openapi.VERSIONS}
        )
        self.assertEqual(
            [(new, "since 1.20"), (old, "until 1.19")], [(row.what, row.when()) for row in rows]
        )

    def test_removed_fields_come_last(self):
        rows = eras.merged({BEFORE_NEWEST: [field("a")], NEWEST: [field("b")]})
        self.assertEqual(["b", "a"], [row.what.name for row in rows])
        self.assertEqual(
            [f"since {microversion.text(NEWEST)}", f"only {microversion.text(BEFORE_NEWEST)}"],
            [row.when() for row in rows],
        )

    def test_a_field_that_was_removed_for_some_versions_has_two_rows(self):
        rows = eras.merged({(1, 5): [field("a")], (1, 6): [], (1, 7): [field("a")]})
        self.assertEqual(["only 1.7", "only 1.5"], [row.when() for row in rows])

    def test_a_field_as_old_as_its_operation_has_no_versions(self):
        self.assertEqual("", eras.Row(None, (1, 6), NEWEST).when(of=((1, 6), NEWEST)))
        self.assertEqual("1.8 to 1.11", eras.Row(None, (1, 8), (1, 11)).when())

    def test_an_operation_that_was_replaced_is_listed_twice(self):
        found = eras.operations(eras.documents(), "/resource_classes/{name}")
        self.assertEqual(
            [("GET", (1, 2)), ("PUT", (1, 2)), ("PUT", (1, 7)), ("DELETE", (1, 2))],
            [(method, min(by_version)) for (method, _), by_version in found.items()],
        )

    def test_a_schema_is_shown_as_paths_from_the_root(self):
        schema = {
            "type": "object",
            "required": ["a"],
            "properties": {
                "a": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"b": {"type": "integer"}}},
                },
                "c": {
                    "type": "object",
                    "propertyNames": {"pattern": "^[A-Z0-9_]+$"},
                    "additionalProperties": {"type": "integer", "minimum": 1},
                },
            },
        }
        self.assertEqual(
            [
                ("a", "array of object", True),
                ("a[].b", "integer", False),
                ("c", "object", False),
                ("c.CLASS", "integer, at least 1", False),
            ],
            [row[:3] for row in eras.body(schema)],
        )

    def test_the_form_of_a_value_is_put_in_words(self):
        for words, schema in (
            ("uuid or null", {"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]}),
            ("none or isolate", {"enum": ["none", "isolate"]}),
            ("0 or 1 or ... or 40", {"enum": [str(number) for number in range(41)]}),
            ("1", {"const": 1}),
            ("integer or null", {"type": ["integer", "null"]}),
            ("string, 1 to 255 characters", {"type": "string", "minLength": 1, "maxLength": 255}),
            ("number, at most 2", {"type": "number", "maximum": 2}),
            ("integer, by default 0", {"type": "integer", "default": 0}),
            ("string, ^A+$", {"type": "string", "pattern": "^A+$"}),
            ("object, not empty", {"type": "object", "minProperties": 1}),
            ("object", {"type": "object", "minProperties": 0}),
            (
                "array of uuid, not empty, unique",
                {
                    "type": "array",
                    "items": {"type": "string", "format": "uuid"},
                    "minItems": 1,
                    "uniqueItems": True,
                },
            ),
        ):
            self.assertEqual(words, eras.form(schema))

    def test_a_body_that_must_not_be_empty_has_a_row_of_its_own(self):
        schema = {"type": "object", "minProperties": 1, "additionalProperties": {"type": "integer"}}
        self.assertEqual(["{}", "KEY"], [row.name for row in eras.body(schema)])
        self.assertEqual(["KEY"], [row.name for row in eras.body(schema | {"minProperties": 0})])

    def test_a_key_is_named_for_the_map_that_has_it(self):
        amount = {"type": "integer"}
        amounts = {"type": "object", "additionalProperties": amount}
        by_type = {"type": "object", "additionalProperties": amounts}
        for names, usages in (
            (["usages", "usages.CLASS"], amounts),
            (["usages", "usages.TYPE", "usages.TYPE.CLASS"], by_type),
        ):
            rows = eras.body({"type": "object", "properties": {"usages": usages}})
            self.assertEqual(names, [row.name for row in rows])

    def test_every_field_has_a_meaning(self):
        documents = eras.documents()
        for url in documents[NEWEST]["paths"]:
            for by_version in eras.operations(documents, url).values():
                for operation in by_version.values():
                    for row in _fields(operation):
                        self.assertNotEqual("", row.meaning, f"{url} {row.name}")
                        self.assertNotIn("KEY", row.name, url)
                        self.assertNotIn("anything", row.form, f"{url} {row.name}")

    def test_a_query_is_shown_without_patterns(self):
        schema = {"type": "array", "items": {"type": "string", "pattern": "^A+$"}}
        parameter = {"name": "a", "in": "query", "description": "", "schema": schema}
        self.assertEqual(
            [field("a", "array of string")], eras.parameters({"parameters": [parameter]})
        )


def _indent(line):
    return len(line) - len(line.lstrip())


def long_lines(text):
    """Yield (number, line) of the lines of prose that could be shorter."""
    block, is_in_table = None, False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            is_in_table = False
            continue
        if block is not None and _indent(line) > block:
            continue
        block = None
        is_in_table = is_in_table or _OF_TABLE.match(line) is not None
        opening = _OPENS_BLOCK.match(line)
        if opening and opening["directive"] not in _OF_PROSE:
            block = _indent(line)
            if opening["directive"]:
                continue
        if len(line) > MOST and not is_in_table and " " in line.strip():
            yield number, line


class Shell(testtools.TestCase):
    def test_the_readme_the_tutorials_and_the_demo_define_the_same_function(self):
        pages = ("README.rst", "doc/tutorial/first-claim.rst", "doc/tutorial/demo-cloud.rst")
        texts = [(ROOT / page).read_text() for page in pages]
        texts.append(tour.text("http://127.0.0.1:${PORT:-8778}"))
        functions = [
            re.findall(r"^    placement\(\) \{.*?^    \}$", text, re.M | re.S) for text in texts
        ]
        self.assertEqual([functions[0]] * 4, functions)
        self.assertEqual(1, len(functions[0]))


class LineLength(testtools.TestCase):
    def test_prose_is_wrapped(self):
        too_long = [
            f"{page.relative_to(ROOT)}:{number}"
            for page in sorted([*ROOT.glob("*.rst"), *(ROOT / "doc").rglob("*.rst")])
            for number, _ in long_lines(page.read_text())
        ]
        self.assertEqual([], too_long)

    def test_long_prose_is_found(self):
        line = "word " * 21
        self.assertEqual([(1, line)], [*long_lines(line)])
        self.assertEqual([(3, f"   {line}")], [*long_lines(f".. note::\n\n   {line}")])

    def test_literal_blocks_and_tables_may_be_longer(self):
        line = "word " * 21
        for text in (
            f"Output::\n\n    {line}",
            f".. code-block:: none\n\n   {line}",
            f"=== ===\n{line}\n=== ===",
        ):
            self.assertEqual([], [*long_lines(text)])
