"""How expected exceptions are answered: with an HTTP status and an error code.

Called by fault_wrap, for everything that a handler raises.
Source: doc/reference/api/index.rst, "Errors and status codes".
"""

import functools
from typing import NamedTuple

import webob.exc
from oslo_db import exception as db_exc

from placement import errors, exception
from placement.db import engine
from placement.db.faults import outages
from placement.middleware.error_document import abridged, error_document


class Fault(NamedTuple):
    """How a class of exceptions is answered."""

    http_error: type[webob.exc.HTTPError]
    code: str = errors.UNDEFINED
    headers: tuple[tuple[str, str], ...] = ()


class ServiceBusy(webob.exc.HTTPTooManyRequests):
    """429 with an explanation of our own: this client may not be at fault."""

    explanation = "The service is busy with other requests."


# The status and the error code for each class of exceptions. For a class that is not listed here,
# its nearest base class that is listed counts. A BadQuery brings its own code.
FAULTS = {
    exception.InvalidValue: Fault(webob.exc.HTTPBadRequest),
    exception.NotFound: Fault(webob.exc.HTTPNotFound),
    exception.Conflict: Fault(webob.exc.HTTPConflict),
    exception.ConcurrentUpdate: Fault(webob.exc.HTTPConflict, errors.CONCURRENT_UPDATE),
    exception.UnknownProviderInReshape: Fault(
        webob.exc.HTTPBadRequest, errors.PROVIDER_NOT_FOUND
    ),
    exception.DuplicateProvider: Fault(webob.exc.HTTPConflict, errors.DUPLICATE_NAME),
    exception.CannotDeleteParent: Fault(
        webob.exc.HTTPConflict, errors.PROVIDER_CANNOT_DELETE_PARENT
    ),
    exception.ProviderInUse: Fault(webob.exc.HTTPConflict, errors.PROVIDER_INUSE),
    exception.ChangesExpired: Fault(webob.exc.HTTPGone, errors.CHANGES_EXPIRED),
    exception.InventoryInUse: Fault(webob.exc.HTTPConflict, errors.INVENTORY_INUSE),
    exception.TooManyReports: Fault(ServiceBusy, headers=(errors.retry_after(),)),
}


def understood(error):
    """Return the exception to log and to answer in place of `error`; mostly, `error` itself."""
    # Transactions collided, and retries did not help.
    return exception.ConcurrentUpdate() if engine.is_conflict(error) else error


def http_error(error):
    """Return the webob error that answers an understood exception; None if it is unexpected."""
    if isinstance(error, webob.exc.HTTPError):
        return documented(error)
    if isinstance(error, db_exc.DBConnectionError):
        return documented(
            webob.exc.HTTPServiceUnavailable(
                outages.reason_of(error).value,
                headers=[errors.retry_after()],
            )
        )
    if isinstance(error, db_exc.DBDataError):
        return documented(
            webob.exc.HTTPBadRequest(
                "The database cannot represent a value of this request, such as a character that "
                "its character set lacks."
            )
        )
    fault = fault_of(type(error))
    if fault is None:
        return None
    # A BadQuery brings its own code.
    code = getattr(error, "code", fault.code)
    return documented(fault.http_error(str(error), headers=[*fault.headers]), code)


def fault_of(kind):
    """Return the Fault for a class of exceptions, or None if it is unexpected."""
    return next((FAULTS[ancestor] for ancestor in kind.__mro__ if ancestor in FAULTS), None)


def documented(error, code=errors.UNDEFINED):
    """Make a webob error answer with an error document that has the `code`; return the error."""
    if error.detail is not None:
        error.detail = abridged(error.detail)
    error.json_formatter = functools.partial(error_document, code=code)
    return error
