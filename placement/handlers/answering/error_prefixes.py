"""The prefixes of the domain's error messages, which clients look for."""

import contextlib

from oslo_db import exception as db_exc

from placement import exception


@contextlib.contextmanager
def prefix_errors(prefixes):
    """Put a prefix before the sentence of a PlacementException that is raised inside.

    `prefixes` is {class of exception: text}; the first that fits is taken. What a RetryRequest
    carries will be raised if all retries fail, and gets its prefix, too.
    """
    try:
        yield
    except (exception.PlacementException, db_exc.RetryRequest) as raised:
        error = getattr(raised, "inner_exc", raised)
        for kind, text in prefixes.items():
            if isinstance(error, kind):
                error.prefix = text + error.prefix
                break
        raise
