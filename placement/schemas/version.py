"""The version document. Source: API-SIG guideline on microversions."""

import functools

from placement.schemas import common, validation
from placement.schemas.annotations import described, titled


@functools.cache
def listed():
    """Return the validator of the answer: the versions of the API."""
    version = {
        "id": described("The name of a range of versions.", common.TEXT),
        "min_version": described("The oldest version of the API.", common.TEXT),
        "max_version": described("The newest version of the API.", common.TEXT),
        "status": described("Whether these versions are served.", common.TEXT),
        "links": common.links("self"),
    }
    version_range = titled("VersionRange", common.record(version, required=version))
    versions = {"type": "array", "items": version_range}
    properties = {"versions": described("The ranges of versions.", versions)}
    return validation.of_body(titled("Versions", common.record(properties, required=properties)))
