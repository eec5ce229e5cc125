"""Files that are sent as they are, such as a page and what it loads."""

import hashlib
import importlib.resources
from typing import NamedTuple

from placement.handlers.answering import etag


class File(NamedTuple):
    """Some bytes to send; their ETag, `tag`, changes with them."""

    content: bytes
    media_type: str
    tag: str


def file(content, media_type):
    """Return the File of some bytes."""
    return File(content, media_type, hashlib.sha256(content).hexdigest())


def directory(name):
    """Return the directory of this package that has the files of a page."""
    return importlib.resources.files("placement.web").joinpath(name)


def respond(file, headers=()):
    """Return a response with a File, or 304 if the client has it already.

    `headers` are pairs of name and value.
    """
    response = etag.Response(body=file.content, content_type=file.media_type)
    response.etag = file.tag
    response.headers.extend(headers)
    return response


def headers_of_page(policy):
    """Return the headers for the files of a page, as pairs of name and value.

    `policy` is a Content-Security-Policy: the page loads only what it allows.
    """
    return [
        ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    ]
