"""Who can provide these resources? The stages of an answer, in their order.

CandidateQuery                        query.py       values; handlers/ read it from a query string
             -> keys for its names    resolution.py
             -> feasible roots        db/roots.py    a superset, chosen by the database
             -> forests               forests.py     the trees of those roots, in batches
             -> candidates            search.py      pure and lazy
             -> response              response.py    pure
"""

import itertools
import random
from typing import NamedTuple

from placement.candidates import forests, resolution, response, search
from placement.db import forests as db_forests
from placement.db import names as db_names
from placement.db import roots

# The trait of providers that trees outside their own may use.
SHARING_TRAIT = "MISC_SHARES_VIA_AGGREGATE"
# Roots that are loaded beyond one for each candidate that is wanted. Mostly each root gives
# at least one, so that the rest need not be looked at.
SPARE_ROOTS = 10


class Options(NamedTuple):
    """How to search, beyond what the query says.

    most                   as many candidates as may be built; None for all
    breadth_first          one candidate of each root in turn, not all of one root first
    randomize              choose at random among those that were built
    one_provider_per_tree  never take from two providers of one tree
    """

    most: int | None = None
    breadth_first: bool = False
    randomize: bool = False
    one_provider_per_tree: bool = False


class Found(NamedTuple):
    """Candidates, the forest they stand in, and what its keys are called."""

    candidates: list[search.Candidate]
    forest: forests.Forest
    vocabulary: response.Vocabulary
    requested_class_ids: frozenset[int]


def find(conn, query, options):
    """Return what is Found for a CandidateQuery.

    Cost: at most 11 statements, whatever the number of providers; more only for a query
        with an unknown name, to see whether something before it hides it.
    Raises: UnknownTraits, UnknownResourceClass.
    """
    resolved = resolution.resolve(
        conn, query, SHARING_TRAIT, lambda part: find(conn, part, Options(most=1)).candidates
    )
    if resolved is None:
        return Found([], forests.joined([]), response.Vocabulary({}, {}), frozenset())
    query, sharing_trait_id = resolved
    loaded = []
    found = search.search(
        _batches(conn, query, sharing_trait_id, _wanted(query, options), loaded),
        query,
        options.breadth_first,
        options.one_provider_per_tree,
    )
    built = list(itertools.islice(found, _wanted(query, options)))
    forest = forests.joined(loaded)
    return Found(
        _chosen(built, query, options),
        forest,
        _vocabulary(conn, forest),
        frozenset(class_id for group in query.groups for class_id in group.resources),
    )


def _wanted(query, options):
    """How many candidates need to be built; None for all there are."""
    if options.randomize or query.limit is None:
        return options.most
    return query.limit if options.most is None else min(query.limit, options.most)


def _chosen(built, query, options):
    if not options.randomize:
        return built
    return random.sample(built, min(len(built), query.limit or len(built)))


def _batches(conn, query, sharing_trait_id, wanted, loaded):
    """Yield the forests of the feasible roots, and append them to `loaded`.

    If all candidates are wanted there is one batch; otherwise a small one, which is likely
    to be enough, and then the rest.
    Cost: one query, and four for each batch.
    """
    sharing = roots.sharing_providers(conn, sharing_trait_id)
    filters = roots.filters_for(query, {provider.id for provider in sharing})
    with_aggregates = bool(sharing) or any(
        group.member_of or group.not_member_of for group in query.groups
    )
    last_root_id = 0
    for size in (None,) if wanted is None else (wanted + SPARE_ROOTS, None):
        root_ids = roots.batch(conn, filters, last_root_id, size)
        if not root_ids:
            return
        tree_ids = sorted({*root_ids, *(provider.root_id for provider in sharing)})
        forest = _forest(conn, tree_ids, root_ids, sharing_trait_id, with_aggregates)
        loaded.append(forest)
        yield forest
        if size is not None and len(root_ids) < size:
            return
        last_root_id = root_ids[-1]


def _forest(conn, tree_ids, root_ids, sharing_trait_id, with_aggregates):
    if with_aggregates:
        traits, aggregates = db_forests.traits_and_aggregates(conn, tree_ids)
    else:
        traits, aggregates = db_forests.traits(conn, tree_ids), {}
    return forests.build(
        db_forests.providers(conn, tree_ids),
        db_forests.rooms(conn, tree_ids),
        traits,
        aggregates,
        sharing_trait_id,
        root_ids,
    )


def _vocabulary(conn, forest):
    providers = forest.providers.values()
    trait_sets = {provider.traits for provider in providers}
    class_ids = {class_id for provider in providers for class_id in provider.rooms}
    return response.Vocabulary(
        *db_names.by_ids(conn, class_ids=class_ids, trait_ids=frozenset().union(*trait_sets))
    )
