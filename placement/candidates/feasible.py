"""The providers that meet each Requirement -> the roots that may have candidates; pure.

The rules are those of the conditions in db/search/roots.py; min_unit and step_size are left to the
search.
"""

import functools
import operator

from placement.candidates import constraints
from placement.db.search.requirements import strongest


def needed(query):
    """Return the Requirements of a ResolvedQuery that some provider must meet, each once."""
    return list(dict.fromkeys(each for _, each in constraints.with_requirements(query)))


def nowhere(query, missing):
    """Return the Constraints of a ResolvedQuery that need one of the missing Requirements.

    For each class, only the largest amount is considered.
    """
    needing = constraints.with_requirements(query)
    worst = set(strongest(each for _, each in needing)) & set(missing)
    return tuple(constraint for constraint, requirement in needing if requirement in worst)


def excluded(query):
    """Return the Requirements that a ResolvedQuery forbids, each once."""
    requirements = [*query.excluded_of_root]
    for group in query.groups:
        requirements += group.excluded
    return list(dict.fromkeys(requirements))


def root_ids(query, provider_sets, all_roots=None):
    """Return the sorted ids of the roots that may have candidates for a ResolvedQuery.

    `provider_sets` are the ProviderSets: the providers that meet each Requirement, and their roots.
    Without `all_roots`, the query must have at least one needed Requirement.
    """
    # Each condition is a tuple of sets; a root has to be in one of its sets.
    conditions = [] if all_roots is None else [(all_roots,)]
    conditions += [(provider_sets.of[requirement],) for requirement in query.required_of_root]
    for group in query.groups:
        conditions += (_of_granular if group.is_granular else _of_unsuffixed)(group, provider_sets)
    conditions.sort(key=lambda sets: sum(map(len, sets)))
    first, *others = conditions
    # `provider_sets.root_ids` has only providers that are not roots.
    feasible = set().union(*first) - provider_sets.root_ids.keys()
    for sets in others:
        feasible = set().union(*(feasible & root_ids for root_ids in sets))
    for requirement in query.excluded_of_root:
        feasible -= provider_sets.of[requirement]
    for group in query.groups:
        for requirement in group.excluded_of_root:
            feasible -= provider_sets.of[requirement]
    return sorted(feasible)


def _of_unsuffixed(group, provider_sets):
    """Yield conditions, tuples of sets of root ids: a feasible root is in one set of each tuple.

    Each condition stands for one requirement, which some provider has to meet.
    """
    for requirement in group.required_of_root:
        yield (provider_sets.of[requirement],)
    for requirement in group.required_besides:
        yield _offering(provider_sets.of[requirement], provider_sets)
    for amount in group.taken:
        yield _offering(_allowed(provider_sets.of[amount], group, provider_sets), provider_sets)


def _of_granular(group, provider_sets):
    """Yield the condition that some provider may serve the whole group."""
    if required := [*group.required_besides, *group.taken]:
        serving = functools.reduce(operator.and_, map(provider_sets.of.get, required))
        yield _offering(_allowed(serving, group, provider_sets), provider_sets)


def _allowed(provider_ids, group, provider_sets):
    """Return the providers that may serve the group, however much room they have."""
    for requirement in group.required_of_each:
        provider_ids = provider_ids & provider_sets.of[requirement]
    for requirement in group.excluded:
        provider_ids = provider_ids - provider_sets.of[requirement]
    return provider_ids


def _offering(provider_ids, provider_sets):
    """Return sets of roots: those above the providers, and those of the trees that can use them.

    One of the sets consists of the providers themselves, because some of them are roots. The
    function `root_ids` drops those that are not.
    """
    # First, the roots above the providers; then the roots of the trees that can use sharing ones.
    above = {provider_sets.root_ids[each] for each in provider_ids & provider_sets.root_ids.keys()}
    reached = (provider_sets.reached[each] for each in provider_ids & provider_sets.reached.keys())
    return (provider_ids, above, *reached)
