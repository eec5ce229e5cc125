"""Successful responses."""

import json

import orjson
import webob
from webob import datetime_utils

from placement import constants, cost

# A body with fewer bytes than this is sent in one piece.
_SHORT = 2**20


def respond(status, body=None, *, location=None, last_modified=None, no_cache=False):
    """Return a response; `body`, unless None, is sent as JSON.

    `location` is a path with the mount prefix; it is sent as an absolute URL.
    `last_modified` is a datetime in UTC; `no_cache` adds Cache-Control.
    """
    pieces = None
    if body is not None:
        with cost.stage("rendering"):
            pieces = [as_json(body)]
    return respond_with(
        status, pieces, location=location, last_modified=last_modified, no_cache=no_cache
    )


def respond_with(status, pieces, *, location=None, last_modified=None, no_cache=False):
    """Return a response whose body is already JSON.

    `pieces` is a list of bytes, the parts of the body; None for no body. `location` is a path with
    the mount prefix; it is sent as an absolute URL. `last_modified` is a datetime in UTC;
    `no_cache` adds Cache-Control.
    """
    headers = []
    if pieces is not None:
        headers.append(("Content-Type", constants.JSON))
    if location is not None:
        headers.append(("Location", location))
    if last_modified is not None:
        headers.append(("Last-Modified", datetime_utils.serialize_date(last_modified)))
    if no_cache:
        headers.append(("Cache-Control", "no-cache"))
    if pieces is not None:
        # A large body is not joined, to save a copy.
        if (length := sum(map(len, pieces))) < _SHORT:
            return webob.Response(status=status, headerlist=headers, body=b"".join(pieces))
        headers.append(("Content-Length", str(length)))
        return webob.Response(status=status, headerlist=headers, app_iter=pieces)
    if status != 204:
        headers.append(("Content-Length", "0"))
    return webob.Response(status=status, headerlist=headers, app_iter=[])


def moved(reference):
    """Return a handler that redirects permanently to another path of the service.

    `reference` is relative to the requested path, and sent as it is: caches may keep the answer, so
    it must not repeat anything from the client, such as its Host header.
    """

    def handler(req):
        return answer

    # `answer` is a WSGI application because a webob.Response would turn `reference` into an
    # absolute URL.
    def answer(environ, start_response):
        start_response("308 Permanent Redirect", [("Location", reference), ("Content-Length", "0")])
        return []

    return handler


def as_json(body):
    """Return JSON in ASCII, which is what clients of this API have always received."""
    text = orjson.dumps(body)
    return text if text.isascii() else json.dumps(orjson.loads(text)).encode()
