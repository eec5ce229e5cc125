"""How a request under /operator searches: the version of its query, and the bound on its effort."""

from placement import exception
from placement.candidates.effort import Effort
from placement.microversion import Since


def since_of(req):
    """Return the `since` by which to read a query: that of the request's version.

    Raises: BadQuery.
    """
    if not req.since(Since.ALLOCATION_CANDIDATES):
        raise exception.BadQuery("Before microversion 1.10 there are no allocation candidates.")
    return req.since


def effort_for(req):
    """Return the Effort for the searches of a request, which end if its client hangs up."""
    most = req.conf.placement.max_search_effort
    return Effort(most, req.check_abort)
