"""Examples of requests and answers, as they were recorded from the service: `make examples`.

A test checks them against what the service answers.
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

_VARIABLE = re.compile(r"\\{(\w+)\\}")


def of(name):
    """Return the example of the operation with a name, or None.

    Shape: {"version": "1.39", "request": {"method", "url", "body"?}, "answer": {"status",
    "body"?}}. The url is a path with a query; the status is a status line.
    """
    return _recorded().get(name)


@functools.cache
def _recorded():
    return json.loads(PATH.read_text())


def of_request(name, schema):
    """Return the document's part about the body of a request: {"examples": ...}, or {}.

    `name` is that of an operation, and `schema` that of its request. An example may be for another
    version, and so have another form.
    """
    example = of(name)
    return _fitting(example["request"], schema) if example else {}


def of_answer(name, status, schema):
    """Return the document's part about the body of the answer with a status, in the same form."""
    example = of(name)
    has_status = example and example["answer"]["status"].startswith(f"{status} ")
    return _fitting(example["answer"], schema) if has_status else {}


def of_refusal(name, status, media_type, schema):
    """Return the document's part about an error with a status, as a media type shows it.

    `name` is that of the operation, or of the response that several operations refer to. In older
    versions, errors have no codes.
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
    """Return {"examples": ...} with the body of a recorded message; {} if the schema refuses it."""
    if "body" in message and validation.of_body(schema).describer.is_valid(message["body"]):
        # With the keyword for a single example, viewers mistake some objects for several examples.
        return {"examples": {"recorded": {"value": message["body"]}}}
    return {}


def query(name):
    """Return the query of an example: {parameter: [value]}."""
    return urllib.parse.parse_qs(_url(name).query)


def variables(name, url):
    """Return the variables in the path of an example: {variable: value}."""
    pattern = _VARIABLE.sub(r"(?P<\1>[^/]+)", re.escape(url))
    found = re.fullmatch(pattern, _url(name).path)
    return found.groupdict() if found else {}


def _url(name):
    example = of(name)
    return urllib.parse.urlsplit(example["request"]["url"] if example else "")
