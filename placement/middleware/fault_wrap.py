"""Turning exceptions into an HTTP status and an error code."""

import functools
import logging
from typing import NamedTuple

import webob.exc
from oslo_db import exception as db_exc

from placement import constants, errors, exception
from placement.db import engine
from placement.db.faults import outages
from placement.middleware.error_document import abridged, error_document

LOG = logging.getLogger(__name__)


class Fault(NamedTuple):
    """How a class of exceptions is answered."""

    http_error: type[webob.exc.HTTPError]
    code: str = errors.UNDEFINED


# The nearest base class of an exception that is listed here decides.
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
    exception.InventoryInUse: Fault(webob.exc.HTTPConflict, errors.INVENTORY_INUSE),
}


def http_error(error):
    """Return the webob error that answers the exception `error`, or None if it is unexpected."""
    if isinstance(error, webob.exc.HTTPError):
        return _documented(error)
    if isinstance(error, db_exc.DBConnectionError):
        return _documented(
            webob.exc.HTTPServiceUnavailable(
                outages.reason_of(error).value,
                headers=[("Retry-After", str(constants.RETRY_AFTER_SECONDS))],
            )
        )
    if engine.is_conflict(error):
        return http_error(exception.ConcurrentUpdate())
    if isinstance(error, db_exc.DBDataError):
        return _documented(
            webob.exc.HTTPBadRequest("The database cannot store a value of this request.")
        )
    fault = fault_of(type(error))
    if fault is None:
        return None
    # An exception may have a more specific code than its class.
    code = getattr(error, "code", fault.code)
    return _documented(fault.http_error(str(error)), code)


def log(error):
    """Log what an expected exception says about what happened, beyond the status.

    Do not call it inside `except`: oslo.log would add the exception to the line.
    """
    if isinstance(error, db_exc.DBConnectionError):
        # The lines after the first are about the statement.
        LOG.error("%s %s", outages.reason_of(error).value, str(error).partition("\n")[0])
    if engine.is_conflict(error):
        error = exception.ConcurrentUpdate()
    if isinstance(error, exception.PlacementException) and (record := error.for_the_log()):
        LOG.warning("%s", record)


def fault_of(kind):
    """Return the Fault for a class of exceptions, or None if it is unexpected."""
    return next((FAULTS[ancestor] for ancestor in kind.__mro__ if ancestor in FAULTS), None)


def _documented(error, code=errors.UNDEFINED):
    if error.detail is not None:
        error.detail = abridged(error.detail)
    error.json_formatter = functools.partial(error_document, code=code)
    return error


class FaultWrapper:
    """Middleware: an unexpected exception is logged, and answered with an error document (500).

    What went wrong stays in the log, under the id of the request: it may contain SQL, and
    values that the client must not see.
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        try:
            return self._application(environ, start_response)
        except Exception:
            LOG.exception("Unexpected error")
            answer = _documented(
                webob.exc.HTTPInternalServerError("The log of the service says what happened.")
            )
            return answer(environ, start_response)
