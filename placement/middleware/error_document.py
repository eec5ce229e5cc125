"""The form of an error on the wire.

webob renders the errors of this service in the form that the client prefers: HTML, plain text, or
the JSON document that is made here.

Source: API-SIG guideline on errors; doc/reference/api/index.rst.
"""

import webob.exc

from placement import constants, errors, microversion
from placement.environ import ERROR_CODE, MICROVERSION, REQUEST_ID
from placement.schemas import violations

# If a detail has more characters than this, only its beginning and its end are sent.
LONGEST_DETAIL = 20_000
# To remove HTML tags, webob searches everything after each "<" for the end of the tag. That is
# slow, so only a short text may have many of them.
LONGEST_OF_MANY_TAGS = 2000
MOST_TAGS = 500


def abridged(detail):
    """Return a detail, cut so that it is cheap to send, whatever the client has put into it.

    A detail with many tags is cut shorter, because removing tags takes time.
    """
    longest = LONGEST_DETAIL if detail.count("<") <= MOST_TAGS else LONGEST_OF_MANY_TAGS
    return violations.abridged(detail, longest)


def error_document(body, status, title, environ, code=errors.UNDEFINED):
    """Return the document for one error; the signature is that of webob's `json_formatter`.

    `body` is the text for people; its HTML tags are removed. `status` is a status line, such as
    "404 Not Found". `code` is only sent in versions that have error codes.
    """
    error = {
        "status": int(status.split(None, 1)[0]),
        "title": title,
        "detail": webob.exc.strip_tags(body),
        "request_id": environ[REQUEST_ID],
    }
    # The metrics count the codes, whatever the version.
    environ[ERROR_CODE] = code
    version = environ.get(MICROVERSION)
    if version is not None and version >= microversion.Since.ERROR_CODES.value:
        error["code"] = code
    return {"errors": [error]}


def microversion_error_document(body, status, title, environ):
    """Return the document for an error; for a 406, with the oldest and the newest version.

    A 406 says that the requested version does not exist. The signature is that of webob's
    `json_formatter`.
    """
    document = error_document(body, status, title, environ)
    if document["errors"][0]["status"] == 406:
        document["errors"][0]["min_version"] = microversion.VERSIONS[0]
        document["errors"][0]["max_version"] = microversion.VERSIONS[-1]
    return document


class JSONByDefault:
    """Middleware: a client that accepts any form of answer gets JSON."""

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        if environ.get("HTTP_ACCEPT", "*/*") in ("", "*/*"):
            environ["HTTP_ACCEPT"] = constants.JSON
        return self._application(environ, start_response)
