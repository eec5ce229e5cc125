"""What the log says about exceptions, and how they are answered.

The table in error_statuses.py has the status of each expected exception. All others get a 500.
Source: doc/how-to/logs.rst.
"""

import logging

import webob.exc
from oslo_db import exception as db_exc

from placement import exception
from placement.db.faults import denials, outages
from placement.db.faults.drivers import error_behind
from placement.middleware import error_statuses
from placement.middleware.refusal import refuse

LOG = logging.getLogger(__name__)


def log(error):
    """Log an understood exception, if it says more than the status of its answer.

    Do not call this inside `except`: oslo.log would add the exception to the line.
    """
    if isinstance(error, db_exc.DBConnectionError):
        denial = denials.in_words(error_behind(error))
        reason = outages.reason_of(error).value
        LOG.error("%s", denial or f"{reason} {_without_statement(error)}")
    if isinstance(error, db_exc.DBDataError):
        LOG.warning("The database cannot represent a value: %s", _without_statement(error))
    if isinstance(error, exception.PlacementException) and (record := error.for_the_service_log()):
        LOG.warning("%s", record)


def _without_statement(error):
    """Return the first line of a database error; the other lines are about the SQL statement."""
    return str(error).partition("\n")[0]


class ExpectedFaults:
    """Middleware: an expected exception is logged, and answered as error_statuses.py says.

    Any other exception goes on to the FaultWrapper.
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        try:
            return self._application(environ, start_response)
        except Exception as error:
            fault = error_statuses.understood(error)
            answer = error_statuses.http_error(fault)
            if answer is None:
                raise
        # This is outside the except clause: inside, oslo.log would add the exception to the line.
        log(fault)
        reason = None
        if isinstance(fault, exception.PlacementException):
            reason = fault.for_the_request_log()
        return refuse(answer, environ, start_response, reason)


class FaultWrapper:
    """Middleware: an unexpected exception is logged, and answered with an error document (500).

    Only the log says what went wrong, under the id of the request: the exception may contain SQL
    and values that the client must not see.
    """

    def __init__(self, application):
        self._application = application

    def __call__(self, environ, start_response):
        try:
            return self._application(environ, start_response)
        except Exception as error:
            LOG.exception("Unexpected error")
            answer = error_statuses.documented(
                webob.exc.HTTPInternalServerError("The log of the service says what happened.")
            )
            reason = f"Unexpected error: {type(error).__name__}; the log has its traceback."
            return refuse(answer, environ, start_response, reason)
