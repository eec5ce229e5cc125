"""The version document. Source: API-SIG guideline on microversions."""

import functools

from placement.schemas import parts, validation


@functools.cache
def listed():
    """The answer: the versions of the API."""
    version = {
        "id": parts.TEXT,
        "min_version": parts.TEXT,
        "max_version": parts.TEXT,
        "status": parts.TEXT,
        "links": parts.links("self"),
    }
    versions = {"type": "array", "items": parts.record(version, version)}
    return validation.of_body(parts.record({"versions": versions}, ["versions"]))
