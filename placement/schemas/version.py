"""The version document. Source: API-SIG guideline on microversions."""

import functools

from placement.schemas import parts, validation
from placement.schemas.annotations import described, titled


@functools.cache
def listed():
    """Return the validator of the answer: the versions of the API."""
    version = {
        "id": described("The name of a range of versions.", parts.TEXT),
        "min_version": described("The oldest version of the API.", parts.TEXT),
        "max_version": described("The newest version of the API.", parts.TEXT),
        "status": described("Whether these versions are served.", parts.TEXT),
        "links": parts.links("self"),
    }
    version_range = titled("VersionRange", parts.record(version, required=version))
    versions = {"type": "array", "items": version_range}
    properties = {"versions": described("The ranges of versions.", versions)}
    return validation.of_body(titled("Versions", parts.record(properties, required=properties)))
