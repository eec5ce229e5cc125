"""GET /allocation_candidates."""

import functools
import logging

from placement import candidates, cost, exception, limits, schemas
from placement.candidates import response
from placement.candidates.batches import Order
from placement.environ import ASKED, MICROVERSION
from placement.handlers import (
    caching,
    candidate_query,
    forms,
    hangup,
    rendered_candidates,
    wording,
)
from placement.handlers.checks import answer_is_json, authorized, available_since
from placement.handlers.response import respond_with
from placement.microversion import Since

LOG = logging.getLogger(__name__)


def list_all_query(since):
    if since(Since.REQUEST_GROUPS):
        return schemas.allocation_candidate.list_query_of_groups(
            in_tree=since(Since.CANDIDATES_IN_TREE),
            word_suffixes=since(Since.WORD_SUFFIXES),
            root_required=since(Since.ROOT_REQUIRED),
            same_subtree=since(Since.SAME_SUBTREE),
        )
    return schemas.allocation_candidate.list_query(
        limit=since(Since.CANDIDATES_LIMIT),
        required=since(Since.CANDIDATES_REQUIRED),
        member_of=since(Since.CANDIDATES_MEMBER_OF),
    )


@available_since(Since.ALLOCATION_CANDIDATES)
@answer_is_json
@authorized("placement:allocation_candidates:list")
def list_all(req):
    """GET /allocation_candidates: the providers that could serve a request.

    Each of the allocation requests could be claimed as it is; the provider summaries show
    how full the providers are that they would take from.

    Raises: BadQuery (UNDEFINED, QUERY_DUPLICATE_KEY, QUERY_BAD_VALUE, QUERY_MISSING_VALUE),
        UnknownTraits, UnknownResourceClass, SearchTooLong, CandidatesTooLarge.
    Source: doc/explanation/rules.rst, R1 to R11, A1 to A5, Q1 to Q5.
    """
    pairs = req.query_matching(list_all_query(req.since), first_too=True).items()
    query = candidate_query.parse(list(pairs), rules_of(req.since))
    prefixes = {
        exception.UnknownResourceClass: "Invalid resource class in resources parameter: "
    }
    with wording.prefix_errors(prefixes), cost.stage("search"):
        found = candidates.find(req.database, query, _strategy(req))
    cost.current().candidates = len(found.candidates)
    if not found.candidates:
        _log_empty(req, found)
    with cost.stage("rendering"):
        most = req.conf.placement.max_candidates_size
        pieces = rendered_candidates.pieces(found, _form(req), most)
    return respond_with(200, pieces, **caching.headers(req, caching.now()))


def _log_empty(req, found):
    """Log what is known of an empty answer, with the query, from which `explain` finds out more."""
    hosts = found.hosts
    if found.nowhere:
        reason = f"no provider has {' or '.join(found.nowhere)}"
    elif hosts is None:
        reason = "there is no such tree, or no host for the groups before an unknown name"
    elif hosts == 0:
        reason = "no host meets every constraint taken alone"
    else:
        reason = "on no host can the constraints be met together"
    LOG.info(
        'No allocation candidates: %s "%s %s" microversion: %s hosts: %d: %s',
        *req.environ[ASKED],
        req.environ[MICROVERSION],
        hosts or 0,
        reason,
    )


def rules_of(since):
    """What the values of the query may say."""
    return candidate_query.QueryRules(
        **forms.required(since),
        **forms.member_of(since),
        resourceless_groups=since(Since.SAME_SUBTREE),
    )


def _strategy(req):
    """How the operator wants the search to be done."""
    conf = req.conf.placement
    most = conf.max_allocation_candidates
    return candidates.Strategy(
        most=limits.MAX_CANDIDATES if most < 0 else max(most, 1),
        most_effort=conf.max_search_effort,
        most_size=conf.max_candidates_size,
        order=_order(conf),
        breadth_first=conf.allocation_candidates_generation_strategy == "breadth-first",
        one_provider_per_tree=not req.since(Since.CANDIDATES_NESTED),
        watch=functools.partial(hangup.check, req.environ),
    )


def _order(conf):
    if conf.randomize_allocation_candidates:
        return Order.RANDOM
    return Order.ROTATED if conf.rotate_allocation_candidates else Order.CREATED


def _form(req):
    """What the answer shows."""
    return response.Form(
        **forms.candidates(req.since),
        all_classes=req.since(Since.SUMMARIES_OF_ALL_CLASSES),
    )
