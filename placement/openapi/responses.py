"""The responses of an operation: what it answers, and how it refuses."""

import collections

from placement import constants, errors, exception, schemas
from placement.handlers.operator import providers
from placement.microversion import Since
from placement.middleware import requestlog, version_negotiation
from placement.openapi import examples, refusals, web_servers
from placement.openapi.refusals import Refusal
from placement.schemas import common, meanings
from placement.schemas.annotations import described, titled

HEADERS = {
    "Version": {
        "description": "The microversion of the answer.",
        "required": True,
        "schema": {"type": "string"},
    },
    "RequestId": {
        "description": meanings.REQUEST_ID,
        "required": True,
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "The URL of what was created.",
        "required": True,
        "schema": {"type": "string", "format": "uri"},
    },
    "LastModified": {
        "description": "When the content last changed, as an HTTP date; the current time if "
        "that is unknown.",
        "schema": {"type": "string"},
    },
    "ETag": {
        "description": "A value that changes with the body. If-None-Match with this value avoids "
        "sending the same body again.",
        "required": True,
        "schema": {"type": "string"},
    },
    "ChangesAfter": {
        "description": "The position of the state that is shown, to read the changes after it. "
        "Only if changes are kept.",
        "schema": {"type": "integer"},
    },
    "CacheControl": {
        "description": "Caches must check with the service before they use a stored answer.",
        "required": True,
        "schema": {"type": "string", "enum": ["no-cache"]},
    },
    "RetryAfter": {
        "description": "Seconds to wait before trying again, if the database is the cause.",
        "schema": {"type": "integer"},
    },
    "WWWAuthenticate": {
        "description": "Where to get a token, if Keystone authenticates.",
        "schema": {"type": "string"},
    },
}


def _form(name, **properties):
    """Return the schema of an object that always has these properties."""
    return titled(name, common.record(properties, required=properties))


_WORDS = {
    "title": described("The name of the HTTP status.", common.TEXT),
    "message": described(meanings.WHAT_WENT_WRONG, common.TEXT),
}
# The forms of authentication errors: first webob's, then that of keystone's middleware.
_PLAIN_ERROR = _form(
    "PlainError",
    code=described("The HTTP status, as a number and a name.", common.TEXT),
    **_WORDS,
)
_TOKEN_ERROR = _form(
    "TokenError",
    error=described(
        "What went wrong.",
        _form(
            "TokenErrorDetail",
            code=described("The HTTP status code.", {"type": "integer"}),
            **_WORDS,
        ),
    ),
)

# Refusals that operations have in common, and their names in the document.
_COMMON = {
    Refusal(400, (errors.UNDEFINED,), "The request is malformed."): "Malformed",
    Refusal(401, (errors.UNDEFINED,), "The token is missing or not valid."): "NoToken",
    Refusal(403, (errors.UNDEFINED,), "The policy does not allow this."): "Forbidden",
    Refusal(404, (errors.UNDEFINED,), "There is nothing at this path."): "NothingThere",
    Refusal(
        406,
        (errors.UNDEFINED,),
        "The microversion is not supported, or the client does not accept application/json.",
    ): "NotAcceptable",
    Refusal(
        409, (errors.CONCURRENT_UPDATE,), "Another client was faster: read again, then retry."
    ): "Overtaken",
    Refusal(413, (errors.UNDEFINED,), "The body is larger than the service accepts."): "TooLarge",
    Refusal(
        414,
        (errors.UNDEFINED,),
        "The URL is too long for the web server, which answers in its own form.",
    ): "TooLong",
    Refusal(415, (errors.UNDEFINED,), "The body is not application/json."): "NotJson",
    Refusal(
        500, (errors.UNDEFINED,), "The service failed: look for the request ID in its log."
    ): "Fault",
    Refusal(
        503, (errors.UNDEFINED,), "The database or Keystone cannot be reached: try again later."
    ): "Unreachable",
}
_COMMON_BY_STATUS = {refusal.status: refusal for refusal in _COMMON}
# The refusal of a report or plan while the process is computing one and another is waiting.
_ONE_AT_A_TIME = refusals.of(exception.TooManyReports)

# The media types of errors for clients that do not accept JSON.
AS_TEXT = ("text/html", "text/plain")
# Statuses whose body is not always the error document, and the forms that the body may have.
_FORMS = {401: ("plain", "token"), 503: ("document", "plain")}
_RARE_HEADERS = {
    401: {"WWW-Authenticate": "WWWAuthenticate"},
    429: {"Retry-After": "RetryAfter"},
    503: {"Retry-After": "RetryAfter"},
}


def components(since, shapes):
    """Return the responses that operations refer to, by name."""
    return {name: _failure(name, [refusal], since, shapes) for refusal, name in _COMMON.items()}


def of(route, since, shapes):
    """Return the responses of a Route, in OpenAPI's form, by status.

    `since` says whether the version has a behaviour; `shapes` collects the schemas referred to.
    """
    operation = route.operation
    responses = {
        str(status): _success(operation.name, status, answer, since, shapes)
        for status, answer in operation.answers(since).items()
    }
    by_status = collections.defaultdict(list)
    for refusal in [*_common(route), *operation.refusals]:
        by_status[refusal.status].append(refusal)
    for status in sorted(by_status):
        failures = by_status[status]
        # A response that many operations share is in the document only once.
        is_common = failures == [_COMMON_BY_STATUS.get(status)]
        responses[str(status)] = (
            {"$ref": f"#/components/responses/{_COMMON[failures[0]]}"}
            if is_common
            else _failure(operation.name, failures, since, shapes)
        )
    return responses


def _success(name, status, answer, since, shapes):
    """Return what a document says about a successful Answer with this status.

    `name` is that of the operation, to find its example.
    """
    # {name of a header: the component of the document that describes it}.
    headers = {version_negotiation.HEADER: "Version", requestlog.RESPONSE_HEADER: "RequestId"}
    if answer.has_location:
        headers["Location"] = "Location"
    if answer.is_dated and since(Since.LAST_MODIFIED):
        headers["Last-Modified"] = "LastModified"
        headers["Cache-Control"] = "CacheControl"
    if answer.is_revalidated:
        headers["Cache-Control"] = "CacheControl"
    if answer.is_tagged:
        headers |= {"ETag": "ETag", "Cache-Control": "CacheControl"}
    if answer.has_position:
        headers[providers.POSITION] = "ChangesAfter"
    response = {"description": _DONE[status], "headers": _references(headers)}
    if answer.schema is not None:
        body = {"schema": shapes.of(answer.schema)}
        body |= examples.of_answer(name, status, answer.schema)
        response["content"] = {constants.JSON: body}
    if answer.has_lines:
        # Before version 3.2, OpenAPI cannot describe a line.
        response["content"][constants.JSON_LINES] = {"schema": common.TEXT}
    return response


_DONE = {
    200: "Done.",
    201: "Created.",
    204: "Done; there is no body.",
    304: "The client already has this content.",
}


def _common(route):
    """Return the Refusals of the checks that are made around a handler."""
    statuses = [400, 406, 413, 500]
    if route.policy_rule is not None:
        statuses += [401, 403, 503]
    if "{" in route.url:
        statuses.append(404)
    if route.takes_json:
        statuses.append(415)
    if route.operation.query:
        statuses.append(414)
    if route.method != "GET":
        statuses.append(409)
    shared = [_COMMON_BY_STATUS[status] for status in statuses]
    return shared + _ONE_AT_A_TIME if route.is_one_at_a_time else shared


def _failure(name, failures, since, shapes):
    """Return one response for Refusals that share a status; `name` is that of its example."""
    status = failures[0].status
    sentences = [_sentence_for(refusal, since) for refusal in failures]
    response = {"description": "\n\n".join(dict.fromkeys(sentences))}
    if status == 414:
        # The web server sees a request before this service does.
        return response | web_servers.TOO_LONG
    headers = {requestlog.RESPONSE_HEADER: "RequestId"} | _RARE_HEADERS.get(status, {})
    response["headers"] = _references(headers)
    forms = {form: _form_of_error(form, since) for form in _FORMS.get(status, ["document"])}
    shown = [shapes.of(schema) for schema in forms.values()]
    body = {"schema": {"anyOf": shown} if len(shown) > 1 else shown[0]}
    body |= examples.of_refusal(
        name, status, constants.JSON, {"anyOf": list(forms.values())}
    )
    # The form depends on what the client accepts. Plain text is for clients that do not accept
    # JSON. Many reads answer 406 to such clients first, so they have no other refusals in plain
    # text.
    response["content"] = {constants.JSON: body}
    for media_type in AS_TEXT:
        if example := examples.of_refusal(name, status, media_type, common.TEXT):
            response["content"][media_type] = {"schema": common.TEXT} | example
    return response


def _form_of_error(form, since):
    """Return the schema of an error in one of the forms of _FORMS."""
    return {
        "document": schemas.error.document(code=since(Since.ERROR_CODES)).schema,
        "plain": _PLAIN_ERROR,
        "token": _TOKEN_ERROR,
    }[form]


def _references(headers):
    """Return references to HEADERS; `headers` is {name on the wire: name in HEADERS}."""
    return {header: {"$ref": f"#/components/headers/{name}"} for header, name in headers.items()}


def _sentence_for(refusal, since):
    """Return the sentence of a Refusal, with its codes if the version has codes."""
    codes = [code for code in refusal.codes if code != errors.UNDEFINED]
    if not codes or not since(Since.ERROR_CODES):
        return refusal.sentence
    return f"{refusal.sentence} ({', '.join(codes)})"
