"""The prefixes of the domain's error messages; clients look for these prefixes."""

import contextlib

from oslo_db import exception as db_exc

from placement import exception

UPDATE_CONFLICT = "update conflict: "
OF_PROVIDER_QUERIES = {
    exception.UnknownResourceClass: "Invalid resource class in resources parameter: ",
    exception.UnknownTraits: 'Invalid trait(s) in "required" parameter: ',
}


@contextlib.contextmanager
def prefix_errors(prefixes):
    """Put a prefix before the sentence of a PlacementException raised inside.

    `prefixes` is {class of exception: prefix}; the first class that matches is used. A RetryRequest
    holds the exception that is raised if all retries fail; that exception gets the prefix, too.
    """
    try:
        yield
    except (exception.PlacementException, db_exc.RetryRequest) as raised:
        # Only a RetryRequest has an inner_exc.
        error = getattr(raised, "inner_exc", raised)
        for kind, text in prefixes.items():
            if isinstance(error, kind):
                error.prefix = text + error.prefix
                break
        raise
