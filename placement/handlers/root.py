"""GET /: the versions of the API."""

from placement import microversion
from placement.handlers.answering import caching
from placement.handlers.answering.response import respond

VERSION_DOCUMENT = {
    "versions": [
        {
            "id": "v1.0",
            "max_version": microversion.VERSIONS[-1],
            "min_version": microversion.VERSIONS[0],
            "status": "CURRENT",
            "links": [{"rel": "self", "href": ""}],
        }
    ]
}


def home(req):
    """GET /."""
    return respond(200, VERSION_DOCUMENT, **caching.headers(req, caching.now()))
