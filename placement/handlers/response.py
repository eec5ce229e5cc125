"""Successful responses."""

import json

import orjson
import webob
from webob import datetime_utils

from placement import cost


def respond(status, body=None, *, location=None, last_modified=None, no_cache=False):
    """Return a response; `body`, unless None, is sent as JSON.

    `location` is a path with the mount prefix; it is sent as an absolute URL.
    `last_modified` is a naive datetime in UTC; `no_cache` adds Cache-Control.
    """
    headers = []
    if body is not None:
        headers.append(("Content-Type", "application/json"))
    if location is not None:
        headers.append(("Location", location))
    if last_modified is not None:
        headers.append(("Last-Modified", datetime_utils.serialize_date(last_modified)))
    if no_cache:
        headers.append(("Cache-Control", "no-cache"))
    if body is not None:
        return webob.Response(status=status, headerlist=headers, body=_as_json(body))
    if status != 204:
        headers.append(("Content-Length", "0"))
    return webob.Response(status=status, headerlist=headers, app_iter=[])


def moved(reference):
    """Return a handler that leads to another path of the service, for good.

    `reference` is relative to the path that is asked for, and sent as it is: an answer that
    caches may keep repeats nothing that the client says, such as its Host header.
    """

    def lead(req):
        return answer

    # A webob.Response would make an absolute URL of it.
    def answer(environ, start_response):
        start_response("308 Permanent Redirect", [("Location", reference), ("Content-Length", "0")])
        return []

    return lead


def _as_json(body):
    """JSON in ASCII, as clients of this API have always received it."""
    with cost.stage("rendering"):
        text = orjson.dumps(body)
        return text if text.isascii() else json.dumps(orjson.loads(text)).encode()
