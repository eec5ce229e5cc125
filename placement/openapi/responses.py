"""The responses of an operation: what it answers, and how it refuses."""

import collections

from placement import errors, negotiation, requestlog
from placement.microversion import Since
from placement.openapi import meanings, operations
from placement.openapi.prose import Refusal

HEADERS = {
    "Version": {
        "description": "The version that the answer is written in.",
        "required": True,
        "schema": {"type": "string"},
    },
    "RequestId": {
        "description": "The name of the request in the logs of the service.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "The URL of what was made.",
        "required": True,
        "schema": {"type": "string", "format": "uri"},
    },
    "LastModified": {
        "description": "When what is shown last changed, as an HTTP date; now, if unknown.",
        "schema": {"type": "string"},
    },
    "CacheControl": {
        "description": "Caches have to ask again each time.",
        "required": True,
        "schema": {"const": "no-cache"},
    },
}

# What may go wrong with any request, and how that is called in the document.
_COMMON = {
    Refusal(400, (errors.UNDEFINED,), "The request is malformed."): "Malformed",
    Refusal(401, (), "There is no token, or it is not valid."): "NoToken",
    Refusal(403, (errors.UNDEFINED,), "Policy does not allow it to the caller."): "Forbidden",
    Refusal(404, (errors.UNDEFINED,), "The path names nothing."): "NothingThere",
    Refusal(
        406,
        (errors.UNDEFINED,),
        "There is no such version; or the client does not accept application/json.",
    ): "NotAcceptable",
    Refusal(
        409, (errors.CONCURRENT_UPDATE,), "Another client was faster: read again and retry."
    ): "Overtaken",
    Refusal(413, (errors.UNDEFINED,), "The body is larger than the service takes."): "TooLarge",
    Refusal(414, (), "The URL is longer than the web server takes."): "TooLong",
    Refusal(415, (errors.UNDEFINED,), "The body is not application/json."): "NotJson",
    Refusal(503, (), "The database, or keystone, cannot be reached: try again later."): (
        "Unreachable"
    ),
}
_COMMON_BY_STATUS = {refusal.status: refusal for refusal in _COMMON}


def common(since):
    """Return the responses that operations refer to, by name."""
    return {name: _failure([refusal], since) for refusal, name in _COMMON.items()}


def of(handler, url, method, answers, refusals, since):
    """Return the responses of a handler, in OpenAPI's form, by status.

    `answers` is {status: Answer}, `refusals` a list of Refusal, `url` one of the route table.
    """
    responses = {
        str(status): _success(handler, status, answer, since) for status, answer in answers.items()
    }
    by_status = collections.defaultdict(list)
    for refusal in [*_common(handler, url, method), *refusals]:
        by_status[refusal.status].append(refusal)
    for status in sorted(by_status):
        told = by_status[status]
        is_common = told == [_COMMON_BY_STATUS.get(status)]
        responses[str(status)] = (
            {"$ref": f"#/components/responses/{_COMMON[told[0]]}"}
            if is_common
            else _failure(told, since)
        )
    return responses


def _success(handler, status, answer, since):
    headers = {negotiation.HEADER: "Version", requestlog.RESPONSE_HEADER: "RequestId"}
    if answer.has_location:
        headers["Location"] = "Location"
    if answer.is_dated and since(Since.LAST_MODIFIED):
        headers["Last-Modified"] = "LastModified"
        headers["Cache-Control"] = "CacheControl"
    references = {
        header: {"$ref": f"#/components/headers/{name}"} for header, name in headers.items()
    }
    response = {"description": _DONE[status], "headers": references}
    if answer.schema is not None:
        schema = meanings.added_to(answer.schema, operations.name_of(handler), "answer")
        response["content"] = {"application/json": {"schema": schema}}
    return response


_DONE = {200: "Done.", 201: "Made.", 204: "Done; there is nothing to say."}


def _common(handler, url, method):
    """The refusals that follow from what is checked before a handler, and around it."""
    statuses = [400, 406]
    if hasattr(handler, "policy_rule"):
        statuses += [401, 403, 503]
    if "{" in url:
        statuses.append(404)
    if hasattr(handler, "takes_json"):
        statuses += [413, 415]
    if operations.OPERATIONS[handler].query:
        statuses.append(414)
    if method != "GET":
        statuses.append(409)
    return [_COMMON_BY_STATUS[status] for status in statuses]


def _failure(refusals, since):
    sentences = [_told(refusal, since) for refusal in refusals]
    schema = {"$ref": "#/components/schemas/Error"}
    if not refusals[0].codes:
        # Whoever answers before this service has words of its own.
        schema = {"type": "object"}
    return {
        "description": "\n\n".join(dict.fromkeys(sentences)),
        # The form follows what the client accepts.
        "content": {
            "application/json": {"schema": schema},
            "text/html": {"schema": {"type": "string"}},
            "text/plain": {"schema": {"type": "string"}},
        },
    }


def _told(refusal, since):
    codes = [code for code in refusal.codes if code != errors.UNDEFINED]
    if not codes or not since(Since.ERROR_CODES):
        return refusal.sentence
    return f"{refusal.sentence} ({', '.join(codes)})"
