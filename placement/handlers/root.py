"""GET /: which versions of the API there are."""

import datetime

from placement import microversion
from placement.handlers.response import respond
from placement.microversion import Since

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
    """GET /: the version document, for anyone, without a look at the database."""
    if not req.since(Since.LAST_MODIFIED):
        return respond(200, VERSION_DOCUMENT)
    now = datetime.datetime.now(datetime.UTC)
    return respond(200, VERSION_DOCUMENT, last_modified=now, no_cache=True)
