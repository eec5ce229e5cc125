"""What requests under /operator need for a search: a version, a connection and an Effort.

Source: doc/reference/api/operator.rst.
"""

import contextlib

from placement import cost, exception
from placement.candidates.effort import Effort
from placement.candidates.why import spelling
from placement.microversion import Since


def since_of(req):
    """Return req.since, which decides how queries are read.

    Raises: BadQuery if the request's version has no allocation candidates.
    """
    if not req.since(Since.ALLOCATION_CANDIDATES):
        first = Since.ALLOCATION_CANDIDATES.number
        raise exception.BadQuery(
            f"Before microversion {first} there are no allocation candidates: ask for {first} or a "
            f"later version, not for {req.version}."
        )
    return req.since


@contextlib.contextmanager
def connection(req):
    """Context manager: a connection to search with; refusals of unknown names suggest known ones.

    The data may be moments old. The connection raises ClientClosedRequest once the client has hung
    up.
    """
    with (
        cost.stage("search"),
        spelling.with_suggestions(req.database),
        req.reports() as conn,
    ):
        yield conn


def effort_for(req):
    """Return the Effort for a request's searches; they end if the client hangs up."""
    most = req.conf.placement.max_search_effort
    return Effort(most, req.check_abort)
