"""GET /openapi.json: the description of the API for programs."""

import functools
import json

from placement import constants, microversion, openapi
from placement.openapi import without_handlers
from placement.policies import public
from placement.web import files


def show(req):
    """GET /openapi.json."""
    content = document(asked_version(req))
    # The cached document is for a service at the root. Under a prefix, only the service's URL
    # differs.
    if prefix := req.mount_prefix:
        content = content.replace(_servers("/"), _servers(prefix), 1)
    return files.respond(files.file(content, constants.JSON))


def asked_version(req):
    """Return the version that the query names, as a string; LATEST if the query names none.

    Raises: BadQuery.
    """
    query = req.query_matching(without_handlers.DESCRIPTION_QUERY)
    return query.get("microversion", microversion.LATEST)


def document(version):
    """Return the document of a version, as bytes; `version` is "1.39", for example, or LATEST."""
    return _document(microversion.parsed(version))


# All documents are cached, because anyone may ask for them, and making one takes longer than
# sending it.
@functools.cache
def _document(version):
    return json.dumps(openapi.document(version)).encode()


def _servers(url):
    """Return the piece of a document that says where the service is: "servers": [...]."""
    return json.dumps({"servers": openapi.servers(url)})[1:-1].encode()


DECLARATIONS = {public.DESCRIPTION: {"GET": show}}
