"""Checks the answers of an application against its OpenAPI document.

The document is that of the answer's microversion. An answer that is made before the negotiation
names no microversion: it is checked against the document of the requested one.
"""

import contextlib
import functools
import gzip
import io
import json
import logging
import re
import urllib.parse

import jsonschema
import webob

from placement import microversion, openapi
from placement.middleware import version_negotiation
from placement.web import docs_page, operator_page

# The statuses that requests may get if no operation serves them.
NO_OPERATION = {400, 401, 404, 405, 406, 413}
# Headers that an answer may have only where they are documented.
TOLD_HEADERS = ("Location", "Last-Modified", "Cache-Control", "WWW-Authenticate", "Retry-After")

# These pages are for people, and not part of the description of the API.
_PAGES = docs_page.DECLARATIONS | operator_page.DECLARATIONS


class NotAsDocumented(Exception):
    """An answer, or a query that was accepted, is not in the OpenAPI document."""


class UnexpectedError(Exception):
    """The service has answered 500; the message is what it has logged."""


@contextlib.contextmanager
def _logged_errors():
    """Context manager: a StringIO with the errors that are logged inside, and their tracebacks."""
    errors = io.StringIO()
    handler = logging.StreamHandler(errors)
    handler.setLevel(logging.ERROR)
    logger = logging.getLogger("placement")
    logger.addHandler(handler)
    try:
        yield errors
    finally:
        logger.removeHandler(handler)


class Conformance:
    """Middleware for tests: raises an exception in place of an answer that is not documented.

    This is NotAsDocumented or, for a 500, which is documented but always wrong, UnexpectedError.
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        request = webob.Request(environ)
        asked = request.method, request.path_info, request.query_string
        asked_version = request.headers.get(version_negotiation.HEADER, "")
        with _logged_errors() as errors:
            answer = request.get_response(self._application)
        if answer.status_int == 500:
            raise UnexpectedError(f"{request.method} {request.path_qs}: {errors.getvalue()}")
        minor = _minor(answer.headers.get(version_negotiation.HEADER, asked_version))
        if minor is not None and request.path_info not in _PAGES:
            _check(minor, *asked, answer)
        # webob itself would replace a relative Location with an absolute URL.
        start_response(answer.status, answer.headerlist)
        return answer.app_iter


def _minor(header):
    """The minor of a version; None if there is no such version, and therefore no document."""
    try:
        return version_negotiation.negotiated(header).minor
    except (ValueError, TypeError):
        return None


@functools.cache
def _document(minor):
    return openapi.document((microversion.MAXIMUM[0], minor))


@functools.cache
def _validator(minor, pointer):
    """A validator for the schema at a tuple of keys in the document of a version."""
    document = _document(minor)
    schema = functools.reduce(lambda part, key: _followed(minor, part[key]), pointer, document)
    # The components are added so that references to them in the schema are found.
    return jsonschema.Draft202012Validator(
        {**closed(schema), "components": _closed_components(minor)}, format_checker=None
    )


@functools.cache
def _closed_components(minor):
    return closed(_document(minor)["components"])


def closed(schema):
    """Return a schema that refuses the unknown members which clients must ignore.

    Otherwise an undocumented member would pass.
    """
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {keyword: closed(value) for keyword, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        strict.setdefault("additionalProperties", False)
    return strict


def _followed(minor, part):
    if "$ref" not in part:
        return part
    keys = part["$ref"].removeprefix("#/").split("/")
    return functools.reduce(lambda found, key: found[key], keys, _document(minor))


def _check(minor, method, path, query, answer):
    url = url_of(minor, path)
    operation = _document(minor)["paths"].get(url, {}).get(method.lower())
    where = f"{method} {url or path} at 1.{minor}: {answer.status}"
    if operation is None:
        if answer.status_int not in NO_OPERATION:
            raise NotAsDocumented(f"{where}: there is no such operation")
        return
    status = str(answer.status_int)
    if status not in operation["responses"]:
        raise NotAsDocumented(f"{where} is not in {sorted(operation['responses'])}")
    response = _followed(minor, operation["responses"][status])
    _check_headers(minor, response, answer, where)
    if answer.status_int < 300:
        _check_query(minor, operation, query, where)
    content = response.get("content", {})
    if answer.body and answer.content_type not in content:
        raise NotAsDocumented(f"{where}: {answer.content_type} is not in {sorted(content)}")
    if answer.content_type == "application/json":
        at = ("paths", url, method.lower(), "responses", status)
        validator = _validator(minor, (*at, "content", "application/json", "schema"))
        for violation in validator.iter_errors(json.loads(_content(answer))):
            raise NotAsDocumented(f"{where}: {violation}")


def _content(answer):
    is_compressed = answer.content_encoding == "gzip"
    return gzip.decompress(answer.body) if is_compressed else answer.body


def url_of(minor, path):
    """The url in the document that a path matches; None if there is none."""
    for url, pattern in _patterns(minor):
        if pattern.fullmatch(path or "/"):
            return url
    return None


@functools.cache
def _patterns(minor):
    urls = _document(minor)["paths"]
    return [(url, re.compile(re.sub(r"\{\w+\}", "[^/]+", url))) for url in urls]


def _check_headers(minor, response, answer, where):
    for name, header in response.get("headers", {}).items():
        if _followed(minor, header).get("required") and name not in answer.headers:
            raise NotAsDocumented(f"{where}: {name} is missing")
    for name in TOLD_HEADERS:
        if name in answer.headers and name not in response.get("headers", {}):
            raise NotAsDocumented(f"{where}: {name} is not documented")


def _check_query(minor, operation, query, where):
    if "parameters" not in operation:
        return
    names = set()
    patterns = []
    for parameter in operation["parameters"]:
        schema = _followed(minor, parameter["schema"])
        # If a parameter is an object, a query has the names of its members, not its own name.
        if schema.get("type") == "object":
            patterns.append(schema["propertyNames"]["pattern"])
        else:
            names.add(parameter["name"])
    for name, _ in urllib.parse.parse_qsl(query, keep_blank_values=True):
        if name not in names and not any(re.search(pattern, name) for pattern in patterns):
            raise NotAsDocumented(f"{where}: the parameter {name} is not documented")
