"""The API, described as an OpenAPI document for each of its microversions.

Nothing is said twice: paths and methods come from handler.ROUTE_DECLARATIONS, versions and
policy from the decorators of the handlers, bodies and queries from the schemas that they are
checked by, what a version shows from microversion/version_flags.py, prose and refusals from the
docstrings, statuses and codes from fault_wrap.FAULTS, examples from a story that the tests run.
What the code does not say elsewhere is in this package: which schema an answer has
(operations.py), what the parts of it are called (shapes.py), and what names mean (meanings.py,
parameters.py, tags.py).

Source: OpenAPI Specification 3.1.
"""

import re

from placement import microversion
from placement.handler import ROUTE_DECLARATIONS
from placement.middleware import negotiation
from placement.openapi import (
    examples,
    operations,
    parameters,
    prose,
    responses,
    tags,
    without_handlers,
)
from placement.openapi.shapes import Shapes

# Those that have a document: pairs of major and minor, the oldest first.
VERSIONS = [(microversion.MINIMUM[0], minor) for minor in range(microversion.MAXIMUM[1] + 1)]

_VARIABLE = re.compile(r"\{(\w+)\}")

_INTRODUCTION = """\
What a cloud has to offer, who uses how much of it, and where more would fit.

Resource providers have inventories of resource classes, traits, and aggregates; a provider may be
part of another. A scheduler asks for allocation candidates, and claims one for a consumer by
writing its allocations.

Most requests need a token, and a header that names the version that they are written for: this
document is about one of them.
"""

_TOKEN = """\
A token of keystone. Where the service trusts every token (`[api] auth_strategy = noauth2`, as with
`make serve`), with `admin` everything is allowed but to reshape and to repair, which take the
header `X-Roles: admin,service` besides.
"""


def document(version=microversion.MAXIMUM):
    """Return the OpenAPI 3.1 document, JSON as Python values, of a (major, minor) version."""

    def since(behaviour):
        return version >= behaviour.value

    shapes = Shapes()
    paths = _paths(since, shapes)
    common = responses.common(since, shapes)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Placement",
            "version": name_of(version),
            "summary": "Inventories, usages and claims of resources",
            "description": _INTRODUCTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": servers("/"),
        "security": [{"token": []}],
        "tags": tags.in_order(),
        "paths": paths,
        "components": {
            "schemas": shapes.named,
            "parameters": {"Version": _version_header(version)},
            "headers": responses.HEADERS,
            "responses": common,
            "securitySchemes": {
                "token": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-Auth-Token",
                    "description": _TOKEN,
                }
            },
        },
    }


def servers(url):
    """Where the service is: at `url`, relative to where the document is."""
    return [{"url": url, "description": "The service that this document is from."}]


def name_of(version):
    """Return the text of a (major, minor) version."""
    return "{}.{}".format(*version)


def _version_header(version):
    value = f"{negotiation.SERVICE_TYPE} {name_of(version)}"
    # Generators of clients do not understand `const` in a header.
    only_value = f"^{value.replace('.', '[.]')}$"
    return {
        "name": negotiation.HEADER,
        "in": "header",
        # Not required, so that a client may send it by itself with every request.
        "description": (
            "The version that the request is written for. The service takes a request without it "
            "as one of 1.0; this document describes those that have it."
        ),
        "schema": {"type": "string", "pattern": only_value, "default": value},
        "example": value,
    }


def _paths(since, shapes):
    paths = {}
    for url, handlers in ROUTE_DECLARATIONS.items():
        available = {
            method: operations.variant(handler, since)
            for method, handler in handlers.items()
            if operations.is_available(handler, since)
        }
        described = {
            method.lower(): _operation(url, method, handler, since, shapes)
            for method, handler in available.items()
        }
        # The empty path is another spelling of the root.
        if url and described:
            paths[url] = {
                "parameters": [*_version_of(url), *_variables(url, available.values())],
                **described,
            }
    return paths | without_handlers.paths()


def _is_unversioned(url):
    return url.startswith(negotiation.UNVERSIONED)


def _version_of(url):
    """The parameter that says for which version a request to a URL is written, if it matters."""
    if _is_unversioned(url):
        return []
    return [{"$ref": "#/components/parameters/Version"}]


def _variables(url, handlers):
    """The parameters for the variables of a path, as in the example of one of its operations."""
    names = [operations.OPERATIONS[handler].name for handler in handlers]
    example = next(filter(None, (examples.variables(name, url) for name in names)), {})
    return [
        parameters.path_variable(name, example.get(name)) for name in _VARIABLE.findall(url)
    ]


def _operation(url, method, handler, since, shapes):
    page = prose.page_of(handler)
    sent = operations.OPERATIONS[handler]
    operation = {
        "operationId": sent.name,
        "tags": [tags.TAGS[operations.subject_of(handler)].name],
        "summary": page.summary,
    }
    if page.description:
        operation["description"] = page.description
    if sent.path:
        operation["parameters"] = [
            parameters.path_variable(name, examples.variables(sent.name, url).get(name), schema)
            for name, schema in sent.path.items()
        ]
    if sent.query:
        # Outside of the versions, a query is that of the newest one.
        query_since = microversion.newest if _is_unversioned(url) else since
        operation["parameters"] = parameters.of_query(
            sent.query(query_since).schema,
            handler,
            examples.query(sent.name),
            query_since,
            shapes,
        )
    if sent.body:
        schema = sent.body(since).schema
        body = {"schema": shapes.of(schema, sent.name, "request")}
        body |= examples.of_request(sent.name, schema)
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
    operation["responses"] = responses.of(
        handler, url, method, [*sent.refusals, *page.refusals], since, shapes
    )
    rule = getattr(handler, "policy_rule", None)
    if rule is None:
        operation["security"] = []
    else:
        operation["x-policy-rule"] = rule
    return operation
