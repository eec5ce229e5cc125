"""The search for allocation candidates, stage by stage.

Source: doc/explanation/search.rst; doc/explanation/rules.rst, A5 and Q5.
"""

import itertools
import logging
import random
from collections.abc import Callable
from typing import NamedTuple

from placement import exception
from placement.candidates import query_text, resolution, small_or_large_cloud
from placement.candidates.batches import Order
from placement.candidates.effort import Effort, SpentError
from placement.candidates.resolution import Unresolved
from placement.candidates.solver import anchors
from placement.candidates.solver.anchors import Candidate
from placement.db.names_and_ids import Vocabulary
from placement.db.subjects_of_names import Subject

LOG = logging.getLogger(__name__)

# The providers of the first candidates, up to this many, are remembered for the claim that follows.
# Nova's scheduler asks for this many candidates.
MOST_REMEMBERED = 1000

# The providers that serve one group of a candidate take about this many bytes in the answer, and
# about as many in memory while the candidate waits to be sent.
BYTES_OF_A_GROUP = 128

# Finding out whether a single group has candidates takes at least this many statements.
_STATEMENTS_OF_A_PART = 4


class Strategy(NamedTuple):
    """How to search, beyond what the query says.

    most                   the largest number of candidates to build; None for all
    most_effort            what the search may cost, in states; None for no bound
    most_size              the largest answer, in bytes; each group of each candidate counts as
                           BYTES_OF_A_GROUP; None for no bound
    breadth_first          one candidate of each root in turn, not all of one root first
    order                  the Order of the roots; ROTATED has no effect without a limit
    one_provider_per_tree  never take from two providers of one tree
    check_abort            called from time to time; an exception that it raises ends the search
    """

    most: int | None = None
    most_effort: int | None = None
    most_size: int | None = None
    breadth_first: bool = False
    order: Order = Order.CREATED
    one_provider_per_tree: bool = False
    check_abort: Callable[[], None] | None = None


class SearchResult(NamedTuple):
    """The candidates of an answer, the names behind their keys, and the classes asked for.

    host_count: how many hosts were searched, because they meet each constraint taken alone
    nowhere: constraints known to be met by no provider, as the client wrote them; there may be more
    unresolved: the Unresolved that ended the search before it looked at hosts, if any
    """

    candidates: list[Candidate]
    vocabulary: Vocabulary
    requested_class_ids: frozenset[int]
    host_count: int = 0
    nowhere: tuple[str, ...] = ()
    unresolved: Unresolved | None = None


def find(database, query, strategy):
    """Return the SearchResult of a CandidateQuery.

    No transaction is open while the search runs. If the first trees are enough, everything is read
    from one snapshot; otherwise, the rest is read when the search gets to it.
    Cost: one statement for a small cloud; otherwise at most 20, whatever the number of providers. A
        query with an unknown name may take more, to see whether an earlier group hides the error.
    Raises: UnknownTraits, UnknownResourceClass, SearchTooLong, CandidatesTooLarge.
    """
    effort = Effort(strategy.most_effort, strategy.check_abort)
    with small_or_large_cloud.choose(database) as source:
        names = source.look_up(query)
        unresolved = resolution.first_unknown(query, names)
        if unresolved is None:
            resolved = resolution.resolved(query, names)
            wanted = _wanted(resolved, strategy)
            trees = source.trees(resolved, wanted, _order_of(resolved, strategy))
    if unresolved is None:
        candidates = _candidates(trees.forests(), resolved, strategy, effort)
        _remember(database.caches.names, candidates[:MOST_REMEMBERED])
        requested = frozenset(class_id for group in resolved.groups for class_id in group.amounts)
        nowhere = _in_words(trees.nowhere, query, names)
        return SearchResult(
            candidates, trees.vocabulary, requested, host_count=trees.host_count, nowhere=nowhere
        )
    if unresolved.error is None or _is_hidden(source, unresolved, query, names, effort):
        nothing = Vocabulary(class_names={}, trait_names={})
        return SearchResult([], nothing, requested_class_ids=frozenset(), unresolved=unresolved)
    raise unresolved.error


def _remember(remembered_names, candidates):
    """Remember the providers of candidates, so that claims need not query for them."""
    remembered_names.learn(
        Subject.PROVIDERS,
        {
            provider.uuid: provider.id
            for candidate in candidates
            for provider in candidate.providers
        },
    )


def _in_words(nowhere, query, names):
    """Return the constraints that no provider meets, as clients write them: "resources1 VGPU:2"."""
    if not nowhere:
        return ()
    texts = query_text.texts(query, names)
    return tuple(f"{each.name}{each.group or ''} {texts[each]}" for each in nowhere)


def _order_of(query, strategy):
    """Return the Order of the search; it is rotated only to vary which candidates a limit keeps."""
    is_rotated = strategy.order is Order.ROTATED
    return Order.CREATED if is_rotated and query.limit is None else strategy.order


def _wanted(query, strategy):
    """Return how many candidates are wanted; None for all."""
    bounds = [bound for bound in (query.limit, strategy.most) if bound is not None]
    return min(bounds, default=None)


def _is_hidden(source, unresolved, query, names, effort):
    """Return whether the error of an Unresolved group stays hidden.

    It stays hidden if an earlier part of the query is known to leave no candidates.
    Source: doc/explanation/rules.rst, Q5.
    """
    if isinstance(unresolved.error, exception.UnknownTraits):
        member_of = resolution.known_aggregates(unresolved.group, names)
        if member_of and not source.has_member_of(member_of):
            return True
    return not all(
        _has_any(source, part, effort)
        for part in resolution.parts_before(unresolved, query, names)
    )


def _has_any(source, query, effort):
    """Return whether a part of a query has candidates; also True if the effort runs out."""
    try:
        effort.add_statements(_STATEMENTS_OF_A_PART)
        forests = source.later_trees(query).forests()
        return bool(_candidates(forests, query, Strategy(most=1), effort))
    except (SpentError, exception.SearchTooLong):
        return True


def _candidates(forests, query, strategy, effort):
    """Return the candidates of a ResolvedQuery. Raises: SearchTooLong, CandidatesTooLarge."""
    built = []
    wanted = _wanted(query, strategy)
    # How many fit into the answer.
    fitting = _fitting(query, strategy)
    most = _most_to_build(strategy, wanted, fitting)
    if strategy.order is Order.RANDOM:
        forests = _as_needed(forests, built, wanted)
    is_spent = False
    try:
        candidates = anchors.search(
            forests, query, strategy.breadth_first, strategy.one_provider_per_tree, effort
        )
        # One by one, so that `built` has those that were found before a SpentError.
        for candidate in itertools.islice(candidates, most):
            built.append(candidate)
    except SpentError:
        is_spent = True
    # This is outside the except clause: inside, oslo.log would add the exception to the line.
    if is_spent:
        LOG.warning(
            "A search for allocation candidates was stopped by [placement] max_search_effort, with "
            "%d found; it tried %d states, and looked closely at %d of them.",
            len(built),
            effort.states,
            effort.looks,
        )
        if not built:
            raise exception.SearchTooLong()
    if fitting is not None and len(built) > fitting:
        raise exception.CandidatesTooLarge(most=strategy.most_size)
    if strategy.order is Order.RANDOM:
        return random.sample(built, min(len(built), query.limit or len(built)))
    return built


def _most_to_build(strategy, wanted, fitting):
    """Return how many candidates to build at most.

    This may be one more than an answer can hold, to find out whether some are left out.
    `wanted` is how many are wanted, `fitting` how many fit into an answer; None for no bound.
    """
    # A random answer is chosen from all candidates of the first trees, which are themselves random.
    most = strategy.most if strategy.order is Order.RANDOM else wanted
    if fitting is None or (most is not None and most <= fitting):
        return most
    is_answer_sure_to_fit = wanted is not None and wanted <= fitting
    return fitting if is_answer_sure_to_fit else fitting + 1


def _fitting(query, strategy):
    """Return how many candidates fit into an answer; None for any number."""
    if strategy.most_size is None:
        return None
    return strategy.most_size // (BYTES_OF_A_GROUP * max(1, len(query.groups)))


def _as_needed(forests, built, wanted):
    """Yield forests until enough candidates are in the list `built`, which the caller extends."""
    for forest in forests:
        yield forest
        if wanted is not None and len(built) >= wanted:
            return
