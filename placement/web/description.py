"""GET /openapi.json: the API, described for programs."""

import functools
import json

from placement import microversion, schemas
from placement.web import files

QUERY = schemas.description.query(tuple(microversion.VERSIONS))


def show(req):
    """GET /openapi.json: the OpenAPI document of one version of the API, for anyone.

    It changes with releases of the service only. The answer has an ETag, and a request with
    If-None-Match is answered with 304 if the client has it already.
    """
    document = _document(asked_version(req))
    if prefix := req.mount_prefix:
        document = document.replace(_servers("/"), _servers(prefix), 1)
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


def _servers(url):
    """The piece of a document that says where the service is."""
    from placement import openapi

    return json.dumps({"servers": openapi.servers(url)})[1:-1].encode()
