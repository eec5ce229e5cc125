"""The API, described as an OpenAPI document for each of its microversions.

Nothing is written twice. The document takes

- paths and methods from handler.ROUTE_DECLARATIONS,
- versions and policy rules from the decorators of the handlers,
- bodies, queries and the meaning of their properties from the schemas that check them,
- what a version shows from microversion/version_flags.py,
- statuses and codes from error_statuses.FAULTS, and
- examples from a story that the tests run.

This package adds what no other code says: what an operation does, answers and refuses (operations/,
refusals.py), and what parameters mean (parameters.py).

Called by web/description.py, which serves the document, and by cmd/manage.py.

Source: OpenAPI Specification 3.1.
"""

import collections
import re

from placement import constants, microversion
from placement.middleware import health, version_negotiation
from placement.openapi import (
    examples,
    parameters,
    responses,
    routes,
    tags,
    without_handlers,
)
from placement.openapi.shapes import Shapes

# The versions that have a document: pairs of major and minor, the oldest first.
VERSIONS = [microversion.parsed(text) for text in microversion.VERSIONS]

_VARIABLE = re.compile(r"\{(\w+)\}")

_INTRODUCTION = """\
What a cloud has to offer, who uses how much of it, and where more would fit.

Resource providers have inventories of resource classes, traits, and aggregates; a provider may be
part of another. A scheduler asks for allocation candidates, and claims one for a consumer by
writing its allocations.

Most requests need a token, and a header that names the version that they are written for. This
document describes one version.
"""

_TOKEN = """\
A token of keystone. Where the service trusts every token (`[api] auth_strategy = noauth2`, as with
`make serve`), the token `admin` allows all requests except reshapes and repairs, which also need
the header `X-Roles: admin,service`.
"""


def document(version=microversion.MAXIMUM):
    """Return the OpenAPI 3.1 document of a (major, minor) version, as Python values."""

    # Whether the version has a behaviour, a member of microversion.Since.
    def since(behaviour):
        return version >= behaviour.value

    # The next calls add the schemas that they refer to, so `shapes.named` is read after them.
    shapes = Shapes()
    paths = _paths(since, shapes)
    components = responses.components(since, shapes)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Placement",
            "version": microversion.text(version),
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
            "responses": components,
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
    """Return where the service is: at `url`, relative to the document."""
    return [{"url": url, "description": "The service that this document is from."}]


def _version_header(version):
    """Return the parameter for the version header, whose only value is this version."""
    value = f"{version_negotiation.SERVICE_TYPE} {microversion.text(version)}"
    # Client generators do not understand `const` in a header.
    only_value = f"^{value.replace('.', '[.]')}$"
    return {
        "name": version_negotiation.HEADER,
        "in": "header",
        # The header is not required, because a client library may add it to each request itself.
        "description": (
            "The version that the request is written for. A request without it is treated as one "
            f"for {microversion.VERSIONS[0]}; this document describes requests that have it."
        ),
        "schema": {"type": "string", "pattern": only_value, "default": value},
        "example": value,
    }


def _paths(since, shapes):
    """Return the document's part about the paths of a version.

    It is {url: {method: its operation}}, with the parameters that all methods of a URL share.
    `since` says whether the version has a behaviour; `shapes` collects the schemas referred to.
    """
    by_url = collections.defaultdict(list)
    for route in routes.in_version(since):
        by_url[route.url].append(route)
    paths = {
        url: {
            "parameters": [*_version_of(url), *_variables(url, routes_there)],
            **{route.method.lower(): _operation(route, since, shapes) for route in routes_there},
        }
        for url, routes_there in by_url.items()
    }
    return paths | {health.PATH: {"get": without_handlers.check_health()}}


def _is_unversioned(url):
    return url.startswith(version_negotiation.UNVERSIONED)


def _version_of(url):
    """Return [the parameter of the version header], or [] for a URL that has no versions."""
    if _is_unversioned(url):
        return []
    return [{"$ref": "#/components/parameters/Version"}]


def _variables(url, routes_there):
    """Return the parameters for the variables of a path, with the values of an example, if any."""
    by_route = (examples.variables(route.operation.name, url) for route in routes_there)
    # {variable: value} of the first operation whose example has variables; {} if none has.
    example = next(filter(None, by_route), {})
    return [
        parameters.path_variable(name, example.get(name)) for name in _VARIABLE.findall(url)
    ]


def _operation(route, since, shapes):
    """Return what the document says about a Route in a version.

    `since` says whether the version has a behaviour; `shapes` collects the schemas referred to.
    """
    declared = route.operation
    operation = {
        "operationId": declared.name,
        "tags": [tags.TAGS[route.subject].name],
        "summary": declared.summary,
    }
    if declared.description:
        operation["description"] = declared.description
    # declared.path is {variable: schema} for the variables that do not accept every string.
    if declared.path:
        example = examples.variables(declared.name, route.url)
        operation["parameters"] = [
            parameters.path_variable(name, example.get(name), schema)
            for name, schema in declared.path.items()
        ]
    if declared.query:
        # An operation without versions takes the parameters of the newest version.
        query_since = microversion.newest if _is_unversioned(route.url) else since
        operation["parameters"] = parameters.of_query(
            declared.query(query_since).schema,
            route.subject,
            examples.query(declared.name),
            query_since,
            shapes,
        )
    if declared.body:
        schema = declared.body(since).schema
        body = {"schema": shapes.of_request(schema)}
        body |= examples.of_request(declared.name, schema)
        operation["requestBody"] = {"required": True, "content": {constants.JSON: body}}
    operation["responses"] = responses.of(route, since, shapes)
    if route.policy_rule is None:
        operation["security"] = []
    else:
        operation["x-policy-rule"] = route.policy_rule
    return operation
