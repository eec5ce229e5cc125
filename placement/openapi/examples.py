"""Examples of requests and answers, as they were recorded from the service: `make examples`.

A test holds them to what it answers.
"""

import functools
import importlib.resources
import json
import re
import urllib.parse

from placement.schemas import validation

PATH = importlib.resources.files("placement.openapi").joinpath("examples.json")

_VARIABLE = re.compile(r"\\{(\w+)\\}")


def of(name):
    """Return the example of the operation of a name, or None.

    Shape: {"version": "1.39", "request": {"method", "url", "body"?}, "answer": {"status",
    "body"?}}. The url is a path with a query, the status a line.
    """
    return _recorded().get(name)


@functools.cache
def _recorded():
    return json.loads(PATH.read_text())


def of_request(name, schema):
    """Return what a document says of the body of a request: {"examples"}, or nothing.

    An example may be of another version, and of another form.
    """
    example = of(name)
    return _fitting(example["request"], schema) if example else {}


def of_answer(name, status, schema):
    """Return the same for the answer with a status."""
    example = of(name)
    has_status = example and example["answer"]["status"].startswith(f"{status} ")
    return _fitting(example["answer"], schema) if has_status else {}


def _fitting(message, schema):
    if "body" in message and validation.of_body(schema).worder.is_valid(message["body"]):
        # Viewers mistake some objects for collections of examples where there can be but one.
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
