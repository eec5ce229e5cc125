"""GET /operator/service."""

import functools

from placement.schemas import parts, validation
from placement.schemas.annotations import described, titled


@functools.cache
def query():
    """There are no parameters."""
    return validation.of_query(parts.record({}))


@functools.cache
def shown():
    """The answer."""
    properties = {
        "format": parts.FORMAT,
        "release": described("The release of the service.", parts.TEXT),
        "max_version": described("The newest microversion that it speaks.", parts.TEXT),
        "database": described(
            "mysql (also for MariaDB), postgresql or sqlite.", parts.TEXT
        ),
    }
    return validation.of_body(titled("Service", parts.growing(properties, properties)))
