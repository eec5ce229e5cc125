"""Examples of requests and answers, which `make examples` records from the service.

A test checks that the service still answers like this.
"""

import functools
import importlib.resources
import json
import re
import urllib.parse

from placement.schemas import validation

_DIRECTORY = importlib.resources.files("placement.openapi")
PATH = _DIRECTORY.joinpath("examples.json")
REFUSALS_PATH = _DIRECTORY.joinpath("refusals.json")

# A variable of a URL after re.escape(): /traits/\{name\}.
_ESCAPED_VARIABLE = re.compile(r"\\{(\w+)\\}")


def of(name):
    """Return the example of the operation with this name; None if it has none.

    Shape: {"version": "1.39", "request": {"method", "url", "body"?}, "answer": {"status",
    "body"?}}. The url is a path with a query; the status is a status line, such as "200 OK".
    """
    return _recorded().get(name)


@functools.cache
def _recorded():
    return json.loads(PATH.read_text())


def of_request(name, schema):
    """Return the document's part about the body of a request: {"examples": ...}, or {}.

    `name` is that of an operation, and `schema` that of its request in a version. The result is {}
    if there is no example, or if the example, made for one version, does not match this schema.
    """
    example = of(name)
    return _fitting(example["request"], schema) if example else {}


def of_answer(name, status, schema):
    """Return the document's part about the body of an answer: {"examples": ...}, or {}.

    `name` is that of an operation. The result is {} if its example has another status.
    """
    example = of(name)
    has_status = example and example["answer"]["status"].startswith(f"{status} ")
    return _fitting(example["answer"], schema) if has_status else {}


def of_refusal(name, status, media_type, schema):
    """Return the document's part about the body of an error: {"examples": ...}, or {}.

    `name` is that of the operation, or of a response that several operations refer to. The error
    was recorded with its code, which is left out if the schema is for a version without codes.
    """
    forms = refusals().get(name, {}).get(str(status), {})
    if media_type not in forms:
        return {}
    body = forms[media_type]
    return _fitting({"body": body}, schema) or _fitting({"body": _without_codes(body)}, schema)


def _without_codes(body):
    """Return the body of an error document without its code; any other body as it is."""
    if not isinstance(body, dict) or "errors" not in body:
        return body
    uncoded = [
        {key: value for key, value in error.items() if key != "code"} for error in body["errors"]
    ]
    return body | {"errors": uncoded}


@functools.cache
def refusals():
    """Return the recorded errors.

    Shape: {name of an operation or a response: {status: {media type: body}}}.
    """
    return json.loads(REFUSALS_PATH.read_text())


def _fitting(message, schema):
    """Return {"examples": ...} with the body of a message; {} if it does not match the schema."""
    if "body" in message and validation.of_body(schema).describer.is_valid(message["body"]):
        # Not under `example`: some viewers mistake an object there for several examples.
        return {"examples": {"recorded": {"value": message["body"]}}}
    return {}


def query(name):
    """Return the query of an example: {parameter: [value]}."""
    return urllib.parse.parse_qs(_url(name).query)


def variables(name, url):
    """Return the variables in the path of an example: {variable: value}."""
    # /traits/{name} becomes /traits/(?P<name>[^/]+).
    pattern = _ESCAPED_VARIABLE.sub(r"(?P<\1>[^/]+)", re.escape(url))
    found = re.fullmatch(pattern, _url(name).path)
    return found.groupdict() if found else {}


def _url(name):
    example = of(name)
    return urllib.parse.urlsplit(example["request"]["url"] if example else "")
