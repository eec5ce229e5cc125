"""GET /allocation_candidates."""

import logging

from placement import constants, cost
from placement.candidates import search
from placement.candidates.batches import Order
from placement.conf import opts
from placement.documents import allocation_candidates
from placement.environ import ASKED, MICROVERSION
from placement.handlers.answering import caching, rendered_candidates
from placement.handlers.answering.response import respond_with
from placement.handlers.requests.preconditions import answer_is_json, authorized, available_since
from placement.microversion import Since, version_flags
from placement.queries import candidate_query, query_string

LOG = logging.getLogger(__name__)


@available_since(Since.ALLOCATION_CANDIDATES)
@answer_is_json
@authorized("placement:allocation_candidates:list")
def list_all(req):
    """GET /allocation_candidates.

    Source: doc/explanation/rules.rst, R1 to R11, A1 to A5, Q1 to Q5.
    """
    pairs = req.query_of_version(candidate_query.validator, values=query_string.first_and_last)
    query = candidate_query.read(pairs, req.since)
    with cost.stage("search"):
        result = search.find(req.database, query, _strategy(req))
    # A metric shows this number.
    cost.current().candidate_count = len(result.candidates)
    if not result.candidates:
        _log_empty(req, result)
    with cost.stage("rendering"):
        most = req.conf.placement.max_candidates_size
        pieces = rendered_candidates.pieces(result, _form(req), most)
    return respond_with(200, pieces, **caching.headers(req, caching.now()))


def _log_empty(req, result):
    """Log what is known about an empty answer, with the query, for `placement-manage explain`."""
    LOG.info(
        'No allocation candidates: %s "%s %s" microversion: %s hosts: %d: %s',
        # The client's address, the method, and the path with the query.
        *req.environ[ASKED],
        req.environ[MICROVERSION],
        result.host_count,
        _why_empty(result),
    )


def _why_empty(result):
    """Return, in words, what is known about a SearchResult without candidates.

    Source: doc/how-to/logs.rst.
    """
    if result.unresolved is not None:
        return _about_unknown(result.unresolved)
    if result.nowhere:
        return f"no provider has {' or '.join(result.nowhere)}"
    if not result.host_count:
        return "no host meets every constraint taken alone"
    return "no host meets the constraints together, in units that its inventories allow"


def _about_unknown(unresolved):
    """Return, in words, why an unknown name leads to an empty answer and not to a refusal.

    `unresolved` has the request group with the name, and the error that a refusal would show.
    For an unknown in_tree, which is never refused, the error is None.
    """
    group = unresolved.group
    if unresolved.error is None:
        return f"in_tree{group.suffix} names a provider that does not exist: {group.in_tree}"
    return (
        "no host meets the part of the query before an unknown name: "
        f"{unresolved.error}"
    )


def _strategy(req):
    """Return the Strategy that the operator has configured."""
    conf = req.conf.placement
    most = conf.max_allocation_candidates
    return search.Strategy(
        # -1 stands for the service's own limit. 0 counts as 1: with no candidates at all, every
        # request would seem to fit nowhere.
        most=constants.MAX_CANDIDATES if most < 0 else max(most, 1),
        most_effort=conf.max_search_effort,
        most_size=conf.max_candidates_size,
        order=_order(conf),
        breadth_first=conf.allocation_candidates_generation_strategy == opts.BREADTH_FIRST,
        one_provider_per_tree=version_flags.one_provider_per_tree(req.since),
        check_abort=req.check_abort,
    )


def _order(conf):
    """Return the Order that the operator has configured."""
    if conf.randomize_allocation_candidates:
        return Order.RANDOM
    return Order.ROTATED if conf.rotate_allocation_candidates else Order.CREATED


def _form(req):
    """Return the Form of the answer."""
    return allocation_candidates.Form(
        **version_flags.candidates(req.since),
        all_classes=req.since(Since.SUMMARIES_OF_ALL_CLASSES),
    )
