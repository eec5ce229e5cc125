"""The words before what the domain has to say of an error, where clients look for them."""

import contextlib

from oslo_db import exception as db_exc

from placement import exception


@contextlib.contextmanager
def prefix_errors(preludes):
    """Put a prelude before the sentence of a PlacementException that is raised inside.

    `preludes` is {class of exception: text}; the first that fits is taken. What a RetryRequest
    carries will be raised if all retries fail, and gets its prelude, too.
    """
    try:
        yield
    except (exception.PlacementException, db_exc.RetryRequest) as raised:
        error = getattr(raised, "inner_exc", raised)
        for kind, text in preludes.items():
            if isinstance(error, kind):
                error.prelude = text + error.prelude
                break
        raise
