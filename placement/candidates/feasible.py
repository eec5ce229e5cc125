"""Who has what is asked for -> the roots at which there may be candidates; pure.

It decides as the conditions of db/search/roots.py do, and leaves min_unit and step_size to the
search.
"""

import functools
import operator

from placement.db.search.provider_sets import Thing


def needed(query):
    """Return the Things of a ResolvedQuery that some provider must have, each once."""
    found = [_trait(trait_id) for trait_id in sorted(query.root_required)]
    found += [thing for group in query.groups for thing in _of_group(group)]
    return list(dict.fromkeys(found))


def nowhere(query, missing):
    """Return what is asked for of some missing Things: (suffix or None, parameter, value).

    Of one class, that is the largest amount.
    """
    found = [(None, *_trait(trait_id)) for trait_id in sorted(query.root_required)]
    largest = {}
    for group in query.groups:
        for kind, value in dict.fromkeys(_of_group(group)):
            if kind == "resources":
                class_id, amount = value
                largest[class_id] = max((amount, group.suffix), largest.get(class_id, (0, "")))
            else:
                found.append((group.suffix, kind, value))
    found += [
        (suffix, "resources", (class_id, amount))
        for class_id, (amount, suffix) in largest.items()
    ]
    return tuple(
        (suffix, "root_required" if suffix is None else kind, value)
        for suffix, kind, value in found
        if (kind, value) in missing
    )


def excluded(query):
    """Return the Things that a ResolvedQuery forbids, each once."""
    found = [Thing("required", query.root_forbidden)] if query.root_forbidden else []
    found += [thing for group in query.groups for thing in _forbidden(group)]
    return list(dict.fromkeys(found))


def _trait(trait_id):
    return Thing("required", frozenset({trait_id}))


def _of_group(group):
    return [
        *(Thing("member_of", aggregate_ids) for aggregate_ids in group.member_of),
        *(Thing("required", trait_ids) for trait_ids in group.required),
        *(Thing("resources", need) for need in group.amounts.items()),
    ]


def _forbidden(group):
    found = []
    if group.forbidden:
        found.append(Thing("required", group.forbidden))
    if group.not_member_of:
        found.append(Thing("member_of", group.not_member_of))
    return found


def root_ids(query, holders):
    """Return the ids of the roots that may have candidates for a ResolvedQuery, in their order.

    The query needs some Thing.
    """
    # Each is of several sets, in one of which a root has to be.
    conditions = [(holders.of[_trait(trait_id)],) for trait_id in query.root_required]
    for group in query.groups:
        conditions += (_of_granular if group.is_granular else _of_unsuffixed)(group, holders)
    conditions.sort(key=lambda sets: sum(map(len, sets)))
    first, *others = conditions
    found = set().union(*first) - holders.root_ids.keys()
    for sets in others:
        found = set().union(*(found & each for each in sets))
    if query.root_forbidden:
        found -= holders.of[Thing("required", query.root_forbidden)]
    for group in query.groups:
        if group.not_member_of and not group.is_granular:
            found -= holders.of[Thing("member_of", group.not_member_of)]
    return sorted(found)


def _of_unsuffixed(group, holders):
    """Yield conditions: there is a provider that has something that is asked for."""
    if group.root_id is not None:
        # No provider of another tree serves this group.
        holders = holders._replace(reached={})
        yield ({group.root_id},)
    for thing in _of_group(group):
        having_it = holders.of[thing]
        if thing.kind == "resources":
            having_it = _allowed(having_it, group, holders)
        yield _offering(having_it, holders)


def _of_granular(group, holders):
    """Yield the condition that there is a provider that may serve the whole group."""
    if things := _of_group(group):
        serving = functools.reduce(operator.and_, map(holders.of.get, things))
        serving = _allowed(serving, group, holders)
        if group.root_id is not None and group.amounts:
            root_of = holders.root_ids.get
            serving = {each for each in serving if root_of(each, each) == group.root_id}
        yield _offering(serving, holders)


def _allowed(provider_ids, group, holders):
    for thing in _forbidden(group):
        provider_ids = provider_ids - holders.of[thing]
    return provider_ids


def _offering(provider_ids, holders):
    """Return sets of the roots of providers, and of the trees that can use them."""
    above = {holders.root_ids[each] for each in provider_ids & holders.root_ids.keys()}
    reached = (holders.reached[each] for each in provider_ids & holders.reached.keys())
    return (provider_ids, above, *reached)
