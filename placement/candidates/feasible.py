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
    return list(dict.fromkeys(each for _, each in constraints.needing(query)))


def nowhere(query, missing):
    """Return the Constraints of a ResolvedQuery that need one of the missing Requirements.

    For each class, only the largest amount is considered.
    """
    needing = constraints.needing(query)
    worst = set(strongest(each for _, each in needing)) & set(missing)
    return tuple(constraint for constraint, requirement in needing if requirement in worst)


def excluded(query):
    """Return the Requirements that a ResolvedQuery forbids, each once."""
    requirements = [*query.excluded_of_root]
    for group in query.groups:
        requirements += group.excluded
    return list(dict.fromkeys(requirements))


def root_ids(query, holders, all_roots=None):
    """Return the ids of the roots that may have candidates for a ResolvedQuery, in their order.

    `holders` are the Holders, with the providers that meet each Requirement, and their roots.
    Without `all_roots`, the query must have at least one needed Requirement.
    """
    # Each condition is a tuple of sets; a root has to be in one of them.
    conditions = [] if all_roots is None else [(all_roots,)]
    conditions += [(holders.of[requirement],) for requirement in query.required_of_root]
    for group in query.groups:
        conditions += (_of_granular if group.is_granular else _of_unsuffixed)(group, holders)
    conditions.sort(key=lambda sets: sum(map(len, sets)))
    first, *others = conditions
    # `holders.root_ids` has only providers that are not roots.
    feasible = set().union(*first) - holders.root_ids.keys()
    for sets in others:
        feasible = set().union(*(feasible & root_ids for root_ids in sets))
    for requirement in query.excluded_of_root:
        feasible -= holders.of[requirement]
    for group in query.groups:
        for requirement in group.excluded_of_root:
            feasible -= holders.of[requirement]
    return sorted(feasible)


def _of_unsuffixed(group, holders):
    """Yield conditions, tuples of sets of root ids: a feasible root is in one set of each tuple.

    Each condition stands for one requirement, which some provider has to meet.
    """
    for requirement in group.required_of_root:
        yield (holders.of[requirement],)
    for requirement in group.required_besides:
        yield _offering(holders.of[requirement], holders)
    for amount in group.taken:
        yield _offering(_allowed(holders.of[amount], group, holders), holders)


def _of_granular(group, holders):
    """Yield the condition that some provider may serve the whole group."""
    if required := [*group.required_besides, *group.taken]:
        serving = functools.reduce(operator.and_, map(holders.of.get, required))
        yield _offering(_allowed(serving, group, holders), holders)


def _allowed(provider_ids, group, holders):
    """Return those of the providers that may serve the group, whatever room they have."""
    for requirement in group.required_of_each:
        provider_ids = provider_ids & holders.of[requirement]
    for requirement in group.excluded:
        provider_ids = provider_ids - holders.of[requirement]
    return provider_ids


def _offering(provider_ids, holders):
    """Return sets of roots: of the providers, and of the trees that can use them.

    One of the sets consists of the providers themselves, because some of them are roots. `root_ids`
    drops those that are not.
    """
    # The roots of those that are not roots, and the roots of the trees that can use sharing ones.
    above = {holders.root_ids[each] for each in provider_ids & holders.root_ids.keys()}
    reached = (holders.reached[each] for each in provider_ids & holders.reached.keys())
    return (provider_ids, above, *reached)
