"""The words before what the domain has to say of an error, where clients look for them."""

import contextlib

from placement import exception


@contextlib.contextmanager
def told_with(preludes):
    """Put a prelude before the sentence of a PlacementException that is raised inside.

    `preludes` is {class of exception: text}; the first that fits is taken.
    """
    try:
        yield
    except exception.PlacementException as error:
        for kind, text in preludes.items():
            if isinstance(error, kind):
                error.prelude = text + error.prelude
                break
        raise
