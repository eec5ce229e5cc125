"""GET /openapi.json: the API, described for programs."""

import functools
import json

from placement import microversion, schemas
from placement.handlers import files

QUERY = schemas.description.query(tuple(microversion.VERSIONS))


def show(req):
    """GET /openapi.json: the OpenAPI document of one version of the API, for anyone.

    It changes with releases of the service only. The answer has an ETag, and a request with
    If-None-Match is answered with 304 if the client has it already.
    """
    document = _mounted(req.mount_prefix, _document(asked_version(req)))
    return files.respond(files.file(document, "application/json"))


def asked_version(req):
    """Return the text of the version that the query names, "latest" if it names none.

    Raises: HTTPBadRequest.
    """
    return req.query_matching(QUERY).get("microversion", "latest")


# All are kept: anyone may ask for them, and they take longer to make than to send.
@functools.cache
def _document(version):
    # Not at the top, as it describes this module, too.
    from placement import openapi

    if version == "latest":
        return _document(microversion.VERSIONS[-1])
    major, minor = version.split(".")
    return json.dumps(openapi.document((int(major), int(minor)))).encode()


def _mounted(prefix, document):
    """Let paths in a document begin with the prefix that the service is mounted under, if any."""
    if not prefix:
        return document
    servers = json.dumps([{"url": prefix}])
    return b'{"servers": %b, %b' % (servers.encode(), document[1:])
