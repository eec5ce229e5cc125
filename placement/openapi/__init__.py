"""The API, described as an OpenAPI document for each of its microversions.

Nothing is said twice: paths and methods come from handler.ROUTE_DECLARATIONS, versions and
policy from the decorators of the handlers, bodies and queries from the schemas that they are
checked by, what a version shows from handlers/forms.py, prose and refusals from the docstrings,
statuses and codes from fault_wrap.FAULTS.
What the code does not say elsewhere is in this package: which schema an answer has
(operations.py), and what names mean (meanings.py, parameters.py).

Source: OpenAPI Specification 3.1.
"""

import re

from placement import microversion, schemas
from placement.handler import ROUTE_DECLARATIONS
from placement.handlers import unversioned
from placement.microversion import Since
from placement.middleware import negotiation
from placement.openapi import meanings, operations, parameters, prose, responses

_VARIABLE = re.compile(r"\{(\w+)\}")


def document(version=microversion.MAXIMUM):
    """Return the OpenAPI 3.1 document, JSON as Python values, of a (major, minor) version."""

    def since(behaviour):
        return version >= behaviour.value

    error = schemas.error.document(code=since(Since.ERROR_CODES)).schema
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Placement",
            "version": name_of(version),
            "summary": "Inventories, usages and claims of resources",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": _paths(since),
        "components": {
            "schemas": {"Error": meanings.added_to(error, "error"), **responses.SCHEMAS},
            "parameters": {"Version": _version_header(version)},
            "headers": responses.HEADERS,
            "responses": responses.common(since),
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "X-Auth-Token"}
            },
        },
    }


def name_of(version):
    """Return the text of a (major, minor) version."""
    return "{}.{}".format(*version)


def _version_header(version):
    return {
        "name": negotiation.HEADER,
        "in": "header",
        "required": version != microversion.MINIMUM,
        "description": "The version that the request is written for; 1.0 if there is none.",
        # Generators of clients do not understand `const` in a header.
        "schema": {
            "type": "string",
            "enum": [f"{negotiation.SERVICE_TYPE} {name_of(version)}"],
        },
    }


def _paths(since):
    paths = {}
    for url, handlers in ROUTE_DECLARATIONS.items():
        described = {
            method.lower(): _operation(url, method, operations.variant(handler, since), since)
            for method, handler in handlers.items()
            if operations.is_available(handler, since)
        }
        # The empty path is another spelling of the root.
        if url and described:
            variables = [parameters.path_variable(name) for name in _VARIABLE.findall(url)]
            paths[url] = {"parameters": [*_version_of(url), *variables], **described}
    return paths


def _is_unversioned(url):
    return url.startswith("/operator/")


def _version_of(url):
    """The parameter that says for which version a request to a URL is written, if it matters."""
    if _is_unversioned(url):
        return []
    return [{"$ref": "#/components/parameters/Version"}]


def _operation(url, method, handler, since):
    page = prose.page_of(handler)
    sent = operations.OPERATIONS[handler]
    operation = {
        "operationId": operations.name_of(handler),
        "tags": [operations.tag_of(handler)],
        "summary": page.summary,
    }
    if page.description:
        operation["description"] = page.description
    if sent.path:
        operation["parameters"] = [
            parameters.path_variable(name, schema) for name, schema in sent.path.items()
        ]
    if sent.query:
        # Outside of the versions, a query is that of the newest one.
        query_since = unversioned.newest if _is_unversioned(url) else since
        query = parameters.of_query(sent.query(query_since).schema, handler, query_since)
        operation["parameters"] = query
    if sent.body:
        body = meanings.added_to(sent.body(since).schema, operation["operationId"], "request")
        content = {"application/json": {"schema": body}}
        operation["requestBody"] = {"required": True, "content": content}
    operation["responses"] = responses.of(
        handler, url, method, sent.answers(since), [*sent.refusals, *page.refusals], since
    )
    rule = getattr(handler, "policy_rule", None)
    if rule is None:
        operation["security"] = []
    else:
        operation["x-policy-rule"] = rule
    return operation
