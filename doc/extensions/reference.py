"""The directive `operations`: what the API's OpenAPI documents say about some URLs.

    .. operations::

        /traits
        /traits/{name}
"""

import functools
import json
from typing import NamedTuple

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from doc.extensions import eras
from placement import openapi
from placement.openapi import examples


class Status(NamedTuple):
    """A status with which an operation answers, and when; `name` is its number."""

    name: str
    description: str


class Operations(SphinxDirective):
    """A section for each operation at each of the URLs."""

    has_content = True

    def run(self):
        return [
            _section(method, url, operation_id, by_version)
            for url in filter(None, (line.strip() for line in self.content))
            for (method, operation_id), by_version in eras.operations(_documents(), url).items()
        ]


def setup(app):
    app.add_directive("operations", Operations)
    return {"parallel_read_safe": True}


@functools.cache
def _documents():
    return eras.documents()


def _section(method, url, operation_id, by_version):
    newest = by_version[max(by_version)]
    life = eras.Row(None, min(by_version), max(by_version))
    when = life.when()
    title = f"{method} {url}"
    section = nodes.section(ids=[operation_id.replace("_", "-")], names=[title])
    # An operation that another one replaced has the same URL as its successor.
    gone = f", {when}" if life.last != openapi.VERSIONS[-1] else ""
    section += nodes.title("", "", nodes.literal(text=title), nodes.Text(gone))
    section += [nodes.paragraph("", "", *_marked_up(text)) for text in _prose(newest)]
    section += _facts(newest, when)
    span = life.first, life.last
    section += _fields("Path", by_version, span, eras.variables)
    section += _fields("Query", by_version, span, eras.parameters)
    section += _fields("Body", by_version, span, _body_of)
    section += _answers(by_version, span)
    section += _refusals(by_version, span)
    section += _example(examples.of(operation_id))
    return section


def _prose(operation):
    return [operation["summary"], *filter(None, operation.get("description", "").split("\n\n"))]


def _marked_up(text):
    """Return the nodes of a text in which code is between backquotes, as in Markdown."""
    for number, part in enumerate(text.split("`")):
        yield nodes.literal(text=part) if number % 2 else nodes.Text(part)


def _facts(operation, when):
    facts = [nodes.Text(f"{when[:1].upper()}{when[1:]}. ")] if when else []
    rule = operation.get("x-policy-rule")
    if rule:
        facts += [nodes.Text("Policy: "), nodes.literal(text=rule), nodes.Text(".")]
    else:
        facts.append(nodes.Text("Needs no token."))
    return nodes.paragraph("", "", *facts)


def _fields(title, by_version, span, fields_of):
    """Return a table of fields_of(operation) in all versions, or nothing if there are none."""
    rows = eras.merged({version: fields_of(each) for version, each in by_version.items()})
    return [nodes.rubric(text=title), _fields_table(rows, span)] if rows else []


def _fields_table(rows, span):
    """A table of Rows of Fields, without the column of conditions if there are none."""
    columns = [
        ("Name", 27, lambda row: nodes.literal(text=row.what.name)),
        ("Form", 18, lambda row: nodes.Text(row.what.form)),
        ("Required, since", 13, lambda row: nodes.Text(_conditions(row, span))),
        ("Meaning", 42, lambda row: nodes.Text(row.what.meaning)),
    ]
    if not any(_conditions(row, span) for row in rows):
        del columns[2]
    headings, widths, cells = zip(*columns, strict=True)
    return _table(headings, widths, [[cell(row) for cell in cells] for row in rows])


def _conditions(row, span):
    need = "required" if row.what.is_required else ""
    return ", ".join(filter(None, [need, row.when(span)]))


def _body_of(operation):
    content = operation.get("requestBody", {}).get("content", {})
    return eras.body(content["application/json"]["schema"]) if content else []


def _answers(by_version, span):
    """Return a paragraph about each answer that is not a refusal, and a table of its body."""
    parts = []
    statuses = eras.merged(
        {version: list(_statuses(each, "23")) for version, each in by_version.items()}
    )
    for row in statuses:
        status = row.what.name
        title = ", ".join(filter(None, [f"Answer {status}", row.when(span)]))
        with_it = {
            version: each["responses"][status]
            for version, each in by_version.items()
            if status in each["responses"]
        }
        newest = with_it[row.last]
        table = _fields("", with_it, (row.first, row.last), _answer_of)[1:]
        parts.append(nodes.rubric(text=title))
        parts.append(nodes.paragraph(text=" ".join(_about_answer(newest, has_table=bool(table)))))
        parts += table
    return [part for part in parts if part.astext()]


def _about_answer(response, has_table):
    """Yield sentences about the headers and media types of an answer."""
    headers = [name for name in response["headers"] if name in _HEADERS]
    if headers:
        yield f"With {' and '.join(headers)}."
    kinds = list(response.get("content", {}))
    if not kinds:
        yield "Without a body."
    elif not has_table:
        yield f"The body is {kinds[0]}."
    for kind in kinds[1:]:
        yield f"Also as {kind}, if the client prefers that."


# The headers that only some answers have; Cache-Control comes with some of these.
_HEADERS = ("Location", "Last-Modified", "ETag")


def _answer_of(response):
    content = response.get("content", {})
    fields = eras.body(content["application/json"]["schema"]) if content else []
    # Most fields are always there; the column of versions says since when.
    return [field._replace(is_required=False) for field in fields]


def _statuses(operation, first_digits):
    for status, response in operation["responses"].items():
        if status[0] in first_digits and "$ref" not in response:
            yield Status(status, response["description"])


def _refusals(by_version, span):
    """Return the refusals of the newest version, except those that any request may get."""
    refusals = [
        [nodes.literal(text=status.name), _lines(status.description)]
        for status in _statuses(by_version[span[1]], "4")
    ]
    if not refusals:
        return []
    return [nodes.rubric(text="Refusals"), _table(["Status", "When"], [10, 90], refusals)]


def _example(example):
    """A request and its answer, as they are sent."""
    if example is None:
        return []
    request, answer = example["request"], example["answer"]
    version = [f"OpenStack-API-Version: placement {example['version']}"]
    return [
        nodes.rubric(text="Example"),
        _message(f"{request['method']} {request['url']} HTTP/1.1", version, request),
        _message(f"HTTP/1.1 {answer['status']}", [], answer),
    ]


def _message(first_line, headers, message):
    lines = [first_line, *headers]
    if "body" in message:
        body = json.dumps(message["body"], indent=2)
        lines += ["Content-Type: application/json", "", body]
    text = "\n".join(lines)
    return nodes.literal_block(text, text, language="http")


def _lines(text):
    block = nodes.line_block()
    for line in text.split("\n\n"):
        block += nodes.line("", line)
    return block


def _table(headings, widths, rows):
    group = nodes.tgroup(cols=len(widths))
    group += [nodes.colspec(colwidth=width) for width in widths]
    group += nodes.thead("", _row(nodes.Text(heading) for heading in headings))
    group += nodes.tbody("", *map(_row, rows))
    return nodes.table("", group, classes=["fields", "colwidths-given"])


def _row(cells):
    return nodes.row("", *(nodes.entry("", _as_block(cell)) for cell in cells))


def _as_block(cell):
    return cell if isinstance(cell, nodes.line_block) else nodes.paragraph("", "", cell)
