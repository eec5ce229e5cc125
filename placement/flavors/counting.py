"""How many more instances of a flavor could be made."""

from typing import NamedTuple

from placement import exception
from placement.candidates.effort import Effort, SpentError
from placement.candidates.fits import summarized_cloud
from placement.candidates.query import CandidateQuery
from placement.flavors.flavor_file import Flavor
from placement.microversion import newest
from placement.queries import candidate_query, query_string

# Preparing a query takes as long as this many small statements.
_STATEMENTS = 4
# The most flavors in one answer.
_MOST_AT_ONCE = 1000


class FlavorFit(NamedTuple):
    """How often a Flavor fits.

    times       how often it fits; None if counting took too long
    host_count  on how many hosts it fits
    stopped_by  the class, or query parameter, that stops the most hosts; None if there are no hosts
    mistake     a sentence that says why the service would refuse the query, which then fits 0
                times, or that counting took too long; None if neither is so
    """

    flavor: Flavor
    times: int | None
    host_count: int = 0
    stopped_by: str | None = None
    mistake: str | None = None


class FlavorsInCloud(NamedTuple):
    """Some Flavors, and the cloud in just enough detail for their queries to tell hosts apart.

    queries  {Flavor: its CandidateQuery, or the BadQuery that says why its query is refused}
    """

    queries: dict[Flavor, CandidateQuery | exception.BadQuery]
    cloud: summarized_cloud.SummarizedCloud


def read(conn, flavors):
    """Return the FlavorsInCloud. Cost: that of summarized_cloud.read."""
    queries = {flavor: _query_or_error(flavor) for flavor in flavors}
    asked = [query for query in queries.values() if isinstance(query, CandidateQuery)]
    return FlavorsInCloud(queries, summarized_cloud.read(conn, asked))


def count(state, flavor, effort):
    """Return the FlavorFit of one Flavor in `state`, a FlavorsInCloud, within an Effort."""
    query = state.queries[flavor]
    if not isinstance(query, CandidateQuery):
        return FlavorFit(flavor, times=0, mistake=_sentence(query))
    try:
        effort.add_statements(_STATEMENTS)
        counted = summarized_cloud.count(state.cloud, query, effort)
    except (SpentError, exception.FitTooLong):
        return FlavorFit(flavor, times=None, mistake=_sentence(exception.MixTooLong()))
    except exception.InvalidValue as error:
        return FlavorFit(flavor, times=0, mistake=_sentence(error))
    # What stops the most hosts comes first.
    stopped_by = next(iter(counted.stopped_by), None)
    return FlavorFit(flavor, counted.times, counted.host_count, stopped_by)


def count_some(conn, flavors, most, check_abort):
    """Return the FlavorFits of as many of the first Flavors as one request may count.

    most: the bound on the total cost
    check_abort: called from time to time; an exception that it raises ends the count
    If the first flavor alone costs more than `most`, only its FlavorFit is returned; its `times` is
    None.
    """
    flavors = flavors[:_MOST_AT_ONCE]
    state = read(conn, flavors)
    fits, spent = [], 0
    for flavor in flavors:
        if fits and spent >= most:
            break
        effort = Effort(most - spent, check_abort)
        flavor_fit = count(state, flavor, effort)
        if fits and flavor_fit.times is None:
            break
        fits.append(flavor_fit)
        spent += effort.spent
    return fits


def _query_or_error(flavor):
    """Return the CandidateQuery of a Flavor, or the BadQuery that says why it is refused."""
    try:
        pairs = query_string.of_text(flavor.query)
        # A limit on candidates says nothing about how many instances fit.
        if "limit" in pairs:
            del pairs["limit"]
        query_string.check(pairs, candidate_query.validator(newest), query_string.first_and_last)
        pairs = query_string.comparable(pairs, query_string.NUL)
        return candidate_query.read(pairs, newest)
    except exception.BadQuery as error:
        return error


def _sentence(error):
    """Return what the request log says about an error, without line breaks."""
    return " ".join((error.for_the_request_log() or str(error)).split())
