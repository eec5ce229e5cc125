"""The microversion in which a request is answered."""

import functools

import microversion_parse
import webob.exc

from placement import microversion
from placement.environ import MICROVERSION
from placement.middleware.error_document import abridged, microversion_error_document
from placement.middleware.refusal import refuse
from placement.policies import public

SERVICE_TYPE = "placement"
HEADER = microversion_parse.STANDARD_HEADER
_HEADER_IN_ENVIRON = f"HTTP_{HEADER.upper().replace('-', '_')}"
# Answers below these prefixes do not depend on the microversion. But queries for candidates, and
# errors, follow the microversion in the header or, without the header, the newest one.
UNVERSIONED = (public.OPERATOR, public.DESCRIPTION, public.DOCS)
_MUST_BE_REVALIDATED = ("Cache-Control", "no-cache")


@functools.lru_cache(256)
def negotiated(header, default=microversion.VERSIONS[0]):
    """Return the microversion_parse.Version that a header asks for, such as "placement 1.39".

    `default` is the version if the header names no version of this service.
    Raises: ValueError for a version that does not exist, TypeError for text that is not a version.
    Source: API-SIG guideline on microversions.
    """
    if microversion_parse.get_version({HEADER: header}, SERVICE_TYPE) is None:
        header = f"{SERVICE_TYPE} {default}"
    return microversion_parse.extract_version(
        {HEADER: header}, SERVICE_TYPE, microversion.VERSIONS
    )


class Negotiation:
    """Middleware: puts the version into the environ and names it in the answer.

    Caches must revalidate successful answers below UNVERSIONED. Errors have no headers for caches.
    microversion_parse has a middleware for this, but it takes 46 us per request; this takes 2.
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        try:
            version = _version_of(environ)
        except ValueError as error:
            # microversion_parse says: "Unacceptable version header: 1.99".
            return refuse(_refusal(webob.exc.HTTPNotAcceptable, error), environ, start_response)
        except TypeError as error:
            # microversion_parse says: "invalid version string: 1.x; ...".
            return refuse(_refusal(webob.exc.HTTPBadRequest, error), environ, start_response)
        environ[MICROVERSION] = version
        is_unversioned = environ["PATH_INFO"].startswith(UNVERSIONED)

        def versioned_start_response(status, headers, exc_info=None):
            versioned = [*headers, (HEADER, f"{SERVICE_TYPE} {version}"), ("vary", HEADER)]
            # A status line below "4" is that of a success or a redirection.
            if is_unversioned and status < "4":
                versioned.append(_MUST_BE_REVALIDATED)
            return start_response(status, versioned, exc_info)

        return self._application(environ, versioned_start_response)


def _version_of(environ):
    """Return the Version for a request. Raises: ValueError, TypeError; see negotiated()."""
    header = environ.get(_HEADER_IN_ENVIRON, "")
    if environ["PATH_INFO"].startswith(UNVERSIONED):
        return negotiated(header, microversion.VERSIONS[-1])
    return negotiated(header)


def _refusal(http_error, error):
    return http_error(
        abridged(f"Invalid microversion: {error}"), json_formatter=microversion_error_document
    )
