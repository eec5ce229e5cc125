"""Who can provide these resources? The stages of an answer, in their order.

CandidateQuery                        query.py       values; handlers/ read it from a query string
             -> ResolvedQuery         resolution.py  keys instead of names
             -> feasible roots        db/roots.py    a superset, chosen by the database
             -> forests               forests.py     the trees of those roots, in batches
             -> candidates            search.py      pure and lazy
             -> response              response.py    pure
"""

import itertools
import random
from typing import NamedTuple

import os_traits

from placement import exception
from placement.candidates import forests, resolution, search
from placement.candidates.response import Found
from placement.db import forests as db_forests
from placement.db import names as db_names
from placement.db import resource_providers as db_providers
from placement.db import roots

# Roots that are loaded beyond one for each candidate that is wanted. Most roots give at least
# one, so the rest need not be looked at.
SPARE_ROOTS = 10


class Strategy(NamedTuple):
    """How to search, beyond what the query says.

    most                   the largest number of candidates to build; None for all
    breadth_first          one candidate of each root in turn, not all of one root first
    randomize              choose at random among those that were built
    one_provider_per_tree  never take from two providers of one tree
    """

    most: int | None = None
    breadth_first: bool = False
    randomize: bool = False
    one_provider_per_tree: bool = False


def find(conn, query, strategy):
    """Return what is Found for a CandidateQuery.

    Cost: at most 11 statements, whatever the number of providers; more only for a query
        with an unknown name, to see whether an earlier group hides it.
    Raises: UnknownTraits, UnknownResourceClass.
    """
    names = resolution.look_up(conn, query)
    sharing = roots.sharing_providers(conn, names.traits[os_traits.MISC_SHARES_VIA_AGGREGATE])
    unknown = resolution.first_unknown(query, names)
    if unknown is None:
        resolved = resolution.resolved(query, names)
        candidates = _candidates(conn, resolved, sharing, strategy)
        requested = frozenset(class_id for group in resolved.groups for class_id in group.amounts)
        return Found(candidates, _vocabulary(conn, candidates), requested)
    if unknown.error is None or _is_hidden(conn, unknown, query, names, sharing):
        return Found([], db_names.Vocabulary({}, {}), frozenset())
    raise unknown.error


def _is_hidden(conn, unknown, query, names, sharing):
    """Is the answer empty for a reason that comes before an Unknown?"""
    if isinstance(unknown.error, exception.UnknownTraits):
        member_of = resolution.known_aggregates(unknown.group, names)
        filters = db_providers.Filters(member_of=member_of)
        if member_of and not db_providers.list_matching(conn, filters):
            return True
    return not all(
        _candidates(conn, part, sharing, Strategy(most=1))
        for part in resolution.parts_before(unknown, query, names)
    )


def _candidates(conn, query, sharing, strategy):
    """Return the candidates of a ResolvedQuery; `sharing` are all the SharingProviders."""
    wanted = _wanted(query, strategy)
    found = search.search(
        _forests(conn, query, sharing, wanted),
        query,
        strategy.breadth_first,
        strategy.one_provider_per_tree,
    )
    built = list(itertools.islice(found, wanted))
    if strategy.randomize:
        return random.sample(built, min(len(built), query.limit or len(built)))
    return built


def _wanted(query, strategy):
    """How many candidates need to be built; None for all there are."""
    if strategy.randomize or query.limit is None:
        return strategy.most
    return query.limit if strategy.most is None else min(query.limit, strategy.most)


def _forests(conn, query, sharing, wanted):
    """Yield the Forests of the feasible roots, when the search asks for them.

    If all candidates are wanted there is one; otherwise a small one, which is likely to be
    enough, and then one of the rest.
    Cost: one query, and three for each Forest.
    """
    filters = roots.filters_for(query, sharing)
    with_aggregates = bool(sharing) or any(
        group.member_of or group.not_member_of for group in query.groups
    )
    last_root_id = 0
    for size in (None,) if wanted is None else (wanted + SPARE_ROOTS, None):
        root_ids = roots.batch(conn, filters, last_root_id, size)
        if not root_ids:
            return
        yield _forest(conn, root_ids, sharing, with_aggregates)
        if size is not None and len(root_ids) < size:
            return
        last_root_id = root_ids[-1]


def _forest(conn, root_ids, sharing, with_aggregates):
    tree_ids = sorted({*root_ids, *(provider.root_id for provider in sharing)})
    providers = db_forests.providers(conn, tree_ids, with_aggregates)
    return forests.build(providers, [provider.id for provider in sharing], root_ids)


def _vocabulary(conn, candidates):
    """Return the Vocabulary of the forests that candidates are in.

    Cost: one query; none without candidates.
    """
    if not candidates:
        return db_names.Vocabulary({}, {})
    distinct = {id(candidate.forest): candidate.forest for candidate in candidates}.values()
    providers = [provider for forest in distinct for provider in forest.providers.values()]
    trait_sets = {provider.traits for provider in providers}
    class_ids = {class_id for provider in providers for class_id in provider.rooms}
    return db_names.by_ids(conn, class_ids=class_ids, trait_ids=frozenset().union(*trait_sets))
